import { contentText, isEntry, type Session } from "@treelog/session-core"
import { isObject } from "@treelog-internal/text"

/** Something that the user said. */
export interface UserMessage {
  readonly entryId: string
  readonly text: string
  /** ISO 8601, as far as it was written so. */
  readonly timestamp: string
  /** Whether the session stands below it. */
  readonly isActive: boolean
}

/** What the user said, on all branches, in the order of the file. */
export function userMessages(session: Session): UserMessage[] {
  const active = new Set(session.getBranch().map(({ id }) => id))
  return session.getEntries().flatMap((entry) => {
    if (!isEntry(entry, "message") || !isObject(entry.message) || entry.message.role !== "user") return []
    const { id, timestamp } = entry
    return { entryId: id, text: contentText(entry.message.content), timestamp, isActive: active.has(id) }
  })
}
