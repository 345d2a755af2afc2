import type { EntryHead } from "./entry.js"
import type { JsonObject } from "./json-object.js"

/** The custom type of an entry that stands for what could not be read. No reader makes anything of it. */
export const DAMAGED = "treelog.damaged"

/** An entry in the place of a damaged one, so that what was appended to that one keeps its way to the root. */
export function damagedEntry({ id, parentId, timestamp }: EntryHead, data: JsonObject): JsonObject {
  return { type: "custom", id, parentId, timestamp, customType: DAMAGED, data }
}
