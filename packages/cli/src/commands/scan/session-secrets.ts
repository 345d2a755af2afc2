import { type FoundSecret, findSessionSecrets } from "@treelog/export"
import type { SessionResult, SessionResults } from "@treelog/index-sqlite"
import * as redaction from "@treelog/secrets"
import { isTreelogError } from "@treelog/session-core"
import type { StorageStat } from "@treelog/session-core/adapter"
import type { CommandContext } from "../../io/command-context.js"
import { openIndex } from "../../sessions/open-index.js"
import { blobsOf, type Sessions } from "../../store/command-sessions.js"

/** A digest of the code that applies the rules to a session, and of this file, which decides what is kept. A test compares it. */
export const SCAN_VERSION = "db22463b857d"
const VERSION = `${redaction.RULES_VERSION} ${SCAN_VERSION}`

/**
 * The secrets of sessions: kinds and places. The index keeps them, so that a session is read again only when it has changed. Without SQLite
 * each one is read.
 */
export class SessionSecrets {
  readonly #context: CommandContext
  readonly #sessions: Sessions
  /** Undefined where the index cannot be used. */
  #results: SessionResults | undefined

  constructor(context: CommandContext, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
    this.#results = openIndex(context, [sessions]).results("secrets", VERSION)
  }

  /** The secrets of a session; undefined when it is not stored. @throws as `findSessionSecrets`, while they are read */
  async of(key: string): Promise<Iterable<FoundSecret> | AsyncIterable<FoundSecret> | undefined> {
    const stat = await this.#sessions.storage.stat(key)
    if (!stat) return undefined
    const result = await this.#withIndex((results) => results.of(key, stat))
    return (result?.known as FoundSecret[] | undefined) ?? this.#find(key, result)
  }

  /** Forgets what was found in all other sessions. */
  async forgetOthers(keys: ReadonlySet<string>): Promise<void> {
    await this.#withIndex((results) => results.retain(keys))
  }

  async *#find(key: string, result: SessionResult | undefined): AsyncGenerator<FoundSecret> {
    const { storage } = this.#sessions
    const found: FoundSecret[] = []
    let needsBlobs = false
    const onBlob = (): void => {
      needsBlobs = true
    }
    const blobs = await blobsOf(this.#sessions, key)?.read()
    for await (const secret of findSessionSecrets(storage, key, { redaction, blobs, onBlob })) {
      found.push(secret)
      yield secret
    }
    // A blob can appear or be damaged, and the session stays as it is.
    const stat = needsBlobs ? undefined : await storage.stat(key)
    if (stat) await this.#keep(result, found, stat)
  }

  async #keep(result: SessionResult | undefined, found: readonly FoundSecret[], stat: StorageStat): Promise<void> {
    await this.#withIndex(async () => result?.keep(found, stat))
  }

  /** Undefined where the index cannot be used: nothing depends on it. */
  async #withIndex<Result>(work: (results: SessionResults) => Promise<Result>): Promise<Result | undefined> {
    if (!this.#results) return undefined
    try {
      return await work(this.#results)
    } catch (error) {
      if (!isTreelogError(error)) throw error
      this.#results = undefined
      if (error.code !== "IndexUnavailableError")
        this.#context.warn(
          error,
          `${error.message}. The scan is complete without it, but the next one reads everything again.`,
        )
      return undefined
    }
  }
}
