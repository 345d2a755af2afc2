import type { SessionEntry } from "../entry/entry.js"
import type { LogRecord } from "../log/parse-line.js"

/** An entry has a type and an id; a parent that is neither a string nor null is read as none. */
export function toEntry({ value }: Pick<LogRecord, "value">): SessionEntry | undefined {
  if (typeof value.type !== "string" || typeof value.id !== "string" || value.id === "") return undefined
  const fits = value.parentId === null || typeof value.parentId === "string"
  return (fits ? value : { ...value, parentId: null }) as unknown as SessionEntry
}
