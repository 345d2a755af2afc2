import type { StorageStat } from "@treelog/session-core/adapter"
import { decodeLines, encodeLines } from "../objects/json-lines.js"
import type { ObjectName } from "../objects/object-name.js"
import type { ObjectStore } from "../objects/object-store.js"
import type { ClaudeSessionEntry, ClaudeSessionKey, ClaudeSessionSummary, FoldSessionSummary } from "./claude-types.js"

/** A summary, and how much of which transcript it covers. */
interface StoredSummary {
  readonly summary: ClaudeSessionSummary
  readonly identity: string
  /** Bytes of the transcript. */
  readonly size: number
}

// Crash argument: a summary is written after the entries, by the holder of the transcript. If the process dies in between, the time of
// the summary is older than that of the transcript, so that the SDK reads the transcript; the next append adds what is missing.

/** The summaries of sessions, each in an object of its own. */
export class StoredSummaries {
  readonly #objects: ObjectStore
  readonly #fold: FoldSessionSummary

  constructor(objects: ObjectStore, fold: FoldSessionSummary) {
    this.#objects = objects
    this.#fold = fold
  }

  /** Adds what the stored summary does not cover. The caller holds the transcript. @param stat its state */
  async update(key: ClaudeSessionKey, transcript: string, stat: StorageStat): Promise<void> {
    const session = { projectKey: key.projectKey, sessionId: key.sessionId }
    await this.#objects.change(this.#nameOf(key), async (held) => {
      const stored = await this.#read(this.#nameOf(key))
      const covered = stored?.identity === stat.identity && stored.size <= stat.size ? stored : undefined
      const from = covered?.size ?? (await this.#startOf(key))
      const bytes = await this.#objects.readFrom({ key: transcript, stat }, from)
      const entries = decodeLines<ClaudeSessionEntry>(transcript, bytes)
      const summary = this.#fold(covered?.summary, session, entries, { mtime: Math.floor(stat.modified) })
      await held.write(encodeLines([{ summary, identity: stat.identity, size: stat.size }]))
    })
  }

  async list(projectKey: string): Promise<ClaudeSessionSummary[]> {
    const summaries: ClaudeSessionSummary[] = []
    for await (const { name } of this.#objects.list([this.#objects.prefix, projectKey, "summary"])) {
      const stored = await this.#read(name)
      if (stored) summaries.push(stored.summary)
    }
    return summaries
  }

  async remove(key: ClaudeSessionKey): Promise<void> {
    await this.#objects.change(this.#nameOf(key), (held) => held.remove())
  }

  async #read(name: ObjectName): Promise<StoredSummary | undefined> {
    const found = await this.#objects.read(name)
    return found && decodeLines<StoredSummary>(found.object.key, found.content)[0]
  }

  async #startOf({ projectKey, sessionId }: ClaudeSessionKey): Promise<number> {
    const transcript = await this.#objects.find([this.#objects.prefix, projectKey, "session", sessionId])
    return transcript?.start ?? 0
  }

  #nameOf({ projectKey, sessionId }: ClaudeSessionKey): ObjectName {
    return [this.#objects.prefix, projectKey, "summary", sessionId]
  }
}
