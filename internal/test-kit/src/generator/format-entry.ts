export type Fields = Record<string, unknown>

/** What every entry has, where its writer gives it. */
export interface Head {
  readonly id: string
  readonly parentId: string | null
  /** ISO 8601. */
  readonly timestamp: string
}

/** Where a writer puts the head of an entry among its fields: `pi` puts it first, but behind the payload of custom entries. */
export type KeyOrder = "head-first" | "pi" | "no-ids" | "ids-last"

/** The line of an entry, with its line end, its keys in the order in which the real writer puts them. */
export function formatEntry(order: KeyOrder, type: string, head: Head, fields: Fields): string {
  return `${JSON.stringify(ordered(order, type, head, fields))}\n`
}

function ordered(order: KeyOrder, type: string, { id, parentId, timestamp }: Head, fields: Fields): Fields {
  if (order === "no-ids") return { type, timestamp, ...fields }
  if (order === "ids-last") {
    // The migration deletes firstKeptEntryIndex and adds the id after everything else.
    const { firstKeptEntryId, ...rest } = fields
    const boundary = type === "compaction" && firstKeptEntryId !== undefined ? { firstKeptEntryId } : {}
    return { type, timestamp, ...rest, id, parentId, ...boundary }
  }
  const payloadFirst = order === "pi" && (type === "custom" || type === "custom_message")
  return payloadFirst ? { type, ...fields, id, parentId, timestamp } : { type, id, parentId, timestamp, ...fields }
}
