import type { Session, TranscriptItem } from "@treelog/session-core"

/** The current branch if the entry is on it, otherwise the one that ends at it. Without an entry, the current one. */
export function branchThrough(session: Session, entryId: string | undefined): readonly TranscriptItem[] {
  const leaf = session.getLeafId()
  const current = leaf === null ? [] : session.buildTranscript(leaf)
  const isOn = entryId === undefined || current.some(({ entry }) => entry.id === entryId)
  return isOn ? current : session.buildTranscript(entryId)
}
