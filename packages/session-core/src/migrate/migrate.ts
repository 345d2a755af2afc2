import type { Diagnostic } from "../entry/diagnostic.js"
import { CURRENT_VERSION, type SessionHeader } from "../entry/entry.js"
import { isJsonObject, type JsonObject, valueText } from "../entry/values.js"
import type { LogRecord } from "../log/parse-line.js"
import { type SessionLog, versionOf } from "../log/session-log.js"

/** Report of a migration. */
export interface MigrationReport {
  readonly from: number
  readonly to: number
  /** The version steps, each with the number of changed entries. */
  readonly steps: readonly { readonly from: number; readonly to: number; readonly changed: number }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Records of the current version, with a report of the migration. */
export interface Migrated {
  readonly header: SessionHeader
  readonly records: readonly LogRecord[]
  /** Undefined when the session was up to date. */
  readonly report: MigrationReport | undefined
}

/**
 * Migrates a session's records to the current version (FORMAT.md, section 3). Pure: changed records are new objects, others are the
 * same ones. Records of an unsupported version are returned unchanged.
 *
 * The entry ids of a v1 session are a function of the entries' times and positions, so that every reading of the same file, and the
 * migration that is finally written, give the same ids, and a branch gives what it copied those of its origin.
 */
export function migrate({
  header,
  records,
  version = versionOf(header),
}: Pick<SessionLog, "header" | "records"> & Partial<Pick<SessionLog, "version">>): Migrated {
  if (version === "unsupported" || version === CURRENT_VERSION) return { header, records, report: undefined }
  const steps: { from: number; to: number; changed: number }[] = []
  const diagnostics: Diagnostic[] = []
  let now = records
  for (let from = version; from < CURRENT_VERSION; from++) {
    const next = from === 1 ? linked(now, header.id, diagnostics) : now.map(withCustomRole)
    const changed = next.filter((record, index) => record !== now[index]).length
    steps.push({ from, to: from + 1, changed })
    now = next
  }
  const report = { from: version, to: CURRENT_VERSION, steps, diagnostics }
  return { header: { ...header, version: CURRENT_VERSION }, records: now, report }
}

/**
 * Version 2: gives each entry an id and the one before it as its parent, and turns a compaction's `firstKeptEntryIndex` (an index
 * into the file's objects with the header at 0) into `firstKeptEntryId`.
 */
function linked(records: readonly LogRecord[], sessionId: string, diagnostics: Diagnostic[]): LogRecord[] {
  const nextId = migrationIds(sessionId)
  // An object without a type is not an entry: it gets no id, and is not an entry's parent. It counts for indexes, though.
  const ids = records.map(({ value }) => (typeof value.type === "string" ? nextId(value.timestamp) : undefined))
  let last: string | null = null
  return records.map((record, index): LogRecord => {
    const id = ids[index]
    if (id === undefined) return record
    const { type, id: _id, parentId: _parentId, ...rest } = record.value
    const value: JsonObject = { type, id, parentId: last, ...rest }
    last = id
    if (type === "compaction" && "firstKeptEntryIndex" in rest) {
      const kept = rest.firstKeptEntryIndex
      delete value.firstKeptEntryIndex
      const firstKeptEntryId = typeof kept === "number" ? ids[kept - 1] : undefined
      if (firstKeptEntryId !== undefined) value.firstKeptEntryId = firstKeptEntryId
      else {
        const { line, offset } = record.place
        const message = `The compaction on line ${line} keeps from index ${valueText(kept)}, which is not an entry; it keeps nothing now.`
        diagnostics.push({ kind: "dropped-compaction-boundary", line, offset, message })
      }
    }
    return { ...record, value }
  })
}

/**
 * Generates ids for entries without one: 8 hex digits derived from the time of each, or the session id, and a counter, all different. A
 * session always gets these ids. FNV-1a with a final mix: the ids must be well distributed, not secret.
 */
function migrationIds(sessionId: string): (timestamp: unknown) => string {
  const used = new Set<string>()
  let counter = 0
  return (timestamp) => {
    const size = used.size
    let id = ""
    while (used.size === size) {
      id = hash(`${typeof timestamp === "string" ? timestamp : sessionId}:${counter++}`)
        .toString(16)
        .padStart(8, "0")
      used.add(id)
    }
    return id
  }
}

function hash(text: string): number {
  let hashed = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hashed = Math.imul(hashed ^ text.charCodeAt(index), 0x01000193)
  }
  hashed = Math.imul(hashed ^ (hashed >>> 16), 0x85ebca6b)
  hashed = Math.imul(hashed ^ (hashed >>> 13), 0xc2b2ae35)
  return (hashed ^ (hashed >>> 16)) >>> 0
}

/** Version 3: renames the role `hookMessage` to `custom`. */
function withCustomRole(record: LogRecord): LogRecord {
  const { type, message } = record.value
  if (type !== "message" || !isJsonObject(message) || message.role !== "hookMessage") return record
  return { ...record, value: { ...record.value, message: { ...message, role: "custom" } } }
}
