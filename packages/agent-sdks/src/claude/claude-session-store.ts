import { appendLines, decodeLines, encodeLines } from "../objects/json-lines.js"
import { assertPart, lastPart, type ObjectName } from "../objects/object-name.js"
import { ObjectStore, type ObjectStoreOptions } from "../objects/object-store.js"
import type { ClaudeSessionEntry, ClaudeSessionKey, ClaudeSessionSummary, FoldSessionSummary } from "./claude-types.js"
import { type StoredSummaries, storedSummaries } from "./stored-summaries.js"

/** Where to store, and how to summarize. */
export interface ClaudeSessionStoreOptions extends ObjectStoreOptions {
  /**
   * `foldSessionSummary` of the SDK. With it, each append also updates a summary of the session, and lists of sessions read the
   * summaries instead of the transcripts.
   */
  readonly foldSessionSummary?: FoldSessionSummary | undefined
}

/**
 * The `SessionStore` of the Claude Agent SDK in any storage of treelog. Each transcript is one object. An entry is durable when `append`
 * resolves; the appends of a process are stored in the order of the calls. Several processes may append to one transcript.
 */
export class ClaudeSessionStore {
  /** The summaries of a project's sessions. Present with `foldSessionSummary`, as the SDK expects. */
  readonly listSessionSummaries?: (projectKey: string) => Promise<ClaudeSessionSummary[]>
  readonly #objects: ObjectStore
  readonly #summaries: StoredSummaries | undefined

  /** @throws InvalidArgumentError for an invalid prefix */
  constructor(options: ClaudeSessionStoreOptions) {
    this.#objects = new ObjectStore(options, "claude")
    const { foldSessionSummary } = options
    if (foldSessionSummary === undefined) return
    const summaries = storedSummaries(this.#objects, foldSessionSummary)
    this.#summaries = summaries
    this.listSessionSummaries = async (projectKey) => {
      assertPart("projectKey", projectKey)
      return summaries.list(projectKey)
    }
  }

  /**
   * Appends entries: all of them, or none.
   * @throws InvalidArgumentError, UnserializableEntryError, SessionBusyError, StorageError
   */
  async append(key: ClaudeSessionKey, entries: readonly ClaudeSessionEntry[]): Promise<void> {
    const name = this.#nameOf(key)
    if (entries.length === 0) return
    const lines = encodeLines(entries)
    await this.#objects.change(name, async (held) => {
      const stat = await appendLines(held, lines)
      if (key.subpath === undefined) await this.#summaries?.update(key, held.key, stat)
    })
  }

  /**
   * Reads all entries of a transcript; null if there is none. An entry whose `uuid` was appended before is left out, so that the SDK
   * may repeat an append.
   * @throws InvalidArgumentError, StorageError
   */
  async load(key: ClaudeSessionKey): Promise<ClaudeSessionEntry[] | null> {
    const found = await this.#objects.read(this.#nameOf(key))
    if (!found) return null
    const seen = new Set<string>()
    return decodeLines<ClaudeSessionEntry>(found.object.key, found.content).filter(({ uuid }) => {
      if (typeof uuid !== "string") return true
      const isNew = !seen.has(uuid)
      seen.add(uuid)
      return isNew
    })
  }

  /** The sessions of a project, with the time of the last append. Milliseconds since 1970. @throws InvalidArgumentError, StorageError */
  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    assertPart("projectKey", projectKey)
    const sessions: { sessionId: string; mtime: number }[] = []
    for await (const { name, stat } of this.#objects.list([this.#objects.prefix, projectKey, "session"])) {
      sessions.push({ sessionId: lastPart(name), mtime: Math.floor(stat.modified) })
    }
    return sessions
  }

  /**
   * Deletes a transcript, and with that of a session also those of its subagents. Repeat a call that was interrupted.
   * @throws InvalidArgumentError, SessionBusyError, StorageError
   */
  async delete(key: ClaudeSessionKey): Promise<void> {
    const name = this.#nameOf(key)
    await this.#objects.change(name, async (held) => {
      if (key.subpath === undefined) await this.#summaries?.remove(key)
      await held.remove()
    })
    if (key.subpath !== undefined) return
    for (const subpath of await this.listSubkeys(key)) await this.delete({ ...key, subpath })
  }

  /** The `subpath`s of a session's subagents. @throws InvalidArgumentError, StorageError */
  async listSubkeys({ projectKey, sessionId }: { projectKey: string; sessionId: string }): Promise<string[]> {
    const subpaths: string[] = []
    for await (const { name } of this.#objects.list(this.#nameOf({ projectKey, sessionId }))) {
      subpaths.push(lastPart(name))
    }
    return subpaths
  }

  #nameOf({ projectKey, sessionId, subpath }: ClaudeSessionKey): ObjectName {
    assertPart("projectKey", projectKey)
    assertPart("sessionId", sessionId)
    const name: ObjectName = [this.#objects.prefix, projectKey, "session", sessionId]
    if (subpath === undefined) return name
    assertPart("subpath", subpath)
    return [...name, subpath]
  }
}
