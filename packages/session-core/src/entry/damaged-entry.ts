import type { EntryHead } from "./entry.js"
import type { JsonObject } from "./json-object.js"

/** The custom type of an entry that replaces an unreadable one. Readers ignore it. */
export const DAMAGED = "treelog.damaged"

/** A placeholder for a damaged entry, so that entries below it keep their path to the root. */
export function damagedEntry({ id, parentId, timestamp }: EntryHead, data: JsonObject): JsonObject {
  return { type: "custom", id, parentId, timestamp, customType: DAMAGED, data }
}
