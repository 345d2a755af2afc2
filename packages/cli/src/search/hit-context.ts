import { isTreelogError, type Session, type SessionEntry, type TranscriptItem } from "@treelog/session-core"
import type { SearchHit } from "@treelog/session-core/search"
import { type EntryLine, entryLine } from "@treelog-internal/text"
import { readOnlyManager, type Sessions } from "../store/command-sessions.js"

export interface HitContext {
  readonly before: readonly ContextEntry[]
  readonly after: readonly ContextEntry[]
}

export interface ContextEntry extends EntryLine {
  readonly entryId: string
}

const NOTHING: HitContext = { before: [], after: [] }

/**
 * Up to `count` entries of the conversation before and after each hit of a session, in the order of the hits; none where it is gone.
 * @throws what opening a session throws
 */
export async function hitContexts(
  sessions: Sessions,
  key: string,
  hits: readonly SearchHit[],
  count: number,
): Promise<HitContext[]> {
  try {
    const session = await (await readOnlyManager(sessions, key)).open(key, { access: "read" })
    try {
      return hits.map(({ entryId }) => contextIn(session, entryId, count))
    } finally {
      await session.close()
    }
  } catch (error) {
    if (isTreelogError(error, "SessionNotFoundError")) return hits.map(() => NOTHING)
    throw error
  }
}

function contextIn(session: Session, entryId: string, count: number): HitContext {
  if (!session.getEntry(entryId)) return NOTHING
  const path = branchThrough(session, entryId).map(({ entry }) => entry)
  const at = path.findIndex(({ id }) => id === entryId)
  if (at === -1) return NOTHING
  return {
    before: path.slice(Math.max(0, at - count), at).map(contextEntry),
    after: path.slice(at + 1, at + 1 + count).map(contextEntry),
  }
}

function contextEntry(entry: SessionEntry): ContextEntry {
  return { entryId: entry.id, ...entryLine(entry) }
}

/** The current branch if the entry is on it, otherwise the one that ends at it. Without an entry, the current one. */
export function branchThrough(session: Session, entryId: string | undefined): readonly TranscriptItem[] {
  const leaf = session.getLeafId()
  const current = leaf === null ? [] : session.buildTranscript(leaf)
  const isOn = entryId === undefined || current.some(({ entry }) => entry.id === entryId)
  return isOn ? current : session.buildTranscript(entryId)
}
