import type { IdSource } from "../ports/ids.js"

const TRIES = 100

/** An id that no entry of the session has (FORMAT.md, section 5): 8 hex digits, or a UUID when 100 of those were taken. */
export function freshEntryId(ids: IdSource, isTaken: (id: string) => boolean): string {
  for (let tries = 0; tries < TRIES; tries++) {
    const id = ids.entryId()
    if (!isTaken(id)) return id
  }
  return ids.uuid()
}
