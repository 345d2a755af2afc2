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

export type StoredSummaries = ReturnType<typeof storedSummaries>

/** The summaries of sessions, each in an object of its own. */
export function storedSummaries(objects: ObjectStore, fold: FoldSessionSummary) {
  const nameOf = ({ projectKey, sessionId }: ClaudeSessionKey): ObjectName => [
    objects.prefix,
    projectKey,
    "summary",
    sessionId,
  ]
  const read = async (name: ObjectName): Promise<StoredSummary | undefined> => {
    const found = await objects.read(name)
    return found && decodeLines<StoredSummary>(found.object.key, found.content)[0]
  }
  return {
    /** Adds what the stored summary does not cover. The caller holds the transcript. @param stat its state */
    async update(key: ClaudeSessionKey, transcript: string, stat: StorageStat): Promise<void> {
      const { projectKey, sessionId } = key
      await objects.change(nameOf(key), async (held) => {
        const stored = await read(nameOf(key))
        const covered = stored?.identity === stat.identity && stored.size <= stat.size ? stored : undefined
        const startOf = async () => (await objects.find([objects.prefix, projectKey, "session", sessionId]))?.start ?? 0
        const bytes = await objects.readFrom({ key: transcript, stat }, covered?.size ?? (await startOf()))
        const entries = decodeLines<ClaudeSessionEntry>(transcript, bytes)
        const mtime = Math.floor(stat.modified)
        const summary = fold(covered?.summary, { projectKey, sessionId }, entries, { mtime })
        await held.write(encodeLines([{ summary, identity: stat.identity, size: stat.size }]))
      })
    },

    async list(projectKey: string): Promise<ClaudeSessionSummary[]> {
      const summaries: ClaudeSessionSummary[] = []
      for await (const { name } of objects.list([objects.prefix, projectKey, "summary"])) {
        const stored = await read(name)
        if (stored) summaries.push(stored.summary)
      }
      return summaries
    },

    async remove(key: ClaudeSessionKey): Promise<void> {
      await objects.change(nameOf(key), (held) => held.remove())
    },
  }
}
