import { kindOf, type Session } from "@treelog/session-core"

/** Whether a session ends at an entry: what follows on the current branch, such as a label, is no part of the conversation. */
export function endsAt(session: Session, entryId: string): boolean {
  const branch = session.getLeafId() === null ? [] : session.getBranch()
  const at = branch.findIndex(({ id }) => id === entryId)
  return at !== -1 && branch.slice(at + 1).every((entry) => !kindOf(entry).conversation)
}
