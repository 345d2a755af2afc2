import type { DiagnosticKind } from "../../entry/diagnostic.js"
import { DAMAGED, damagedEntry } from "../../entry/entry.js"
import type { JsonObject } from "../../entry/values.js"
import { joinBytes } from "../../log/bytes.js"
import { encodeLine } from "../../log/format-line.js"
import type { Line } from "../../log/line.js"
import { isBlank, parseLine, strictText } from "../../log/parse-line.js"
import { spliceLine } from "../../log/splice-line.js"

/** One thing that a repair did. */
export interface RepairChange {
  readonly kind: DiagnosticKind | "missing-header"
  /** Line of the damaged file, from 1. */
  readonly line: number
  /** Byte offset in the damaged file. */
  readonly offset: number
  readonly entryId?: string
  /** What was done, in a sentence. */
  readonly message: string
}

/** Collects what a repair did. */
export class RepairLog {
  readonly changes: RepairChange[] = []

  add({ line, offset }: Pick<RepairItem, "line" | "offset">, kind: RepairChange["kind"], message: string): void {
    this.changes.push({ kind, line, offset, message })
  }

  /** Adds what was done to an entry. */
  addEntry({ line, offset, value: { id } }: RepairItem, kind: RepairChange["kind"], message: string): void {
    this.changes.push({ kind, line, offset, ...(typeof id === "string" && { entryId: id }), message })
  }
}

/** A record of a session under repair. */
export interface RepairItem {
  /** The line that it came from. */
  readonly line: number
  readonly offset: number
  /** Replaced by another object where something changes. */
  value: JsonObject
  /** What stands in the file, and the same parsed; undefined for what could not be read, and for a new header. */
  readonly original?: { readonly bytes: Uint8Array; readonly value: JsonObject }
}

/** Whether the value is not what stands in the file. */
export function isChanged({ value, original }: RepairItem): boolean {
  return value !== original?.value
}

/** A stretch of the file: the records that stand there now. */
export interface RepairStretch {
  readonly offset: number
  /** Bytes, without the line end. */
  readonly length: number
  readonly items: RepairItem[]
  /** Whether the stretch must be written anew even where no item changed. */
  split: boolean
}

/**
 * Takes a line apart: readable records as they are, what cannot be read as an entry that holds it. Undefined for a blank line.
 */
export function takeApart(line: Line, log: RepairLog): RepairStretch | undefined {
  const { records, faults, lost } = parseLine(line)
  const { number, offset, bytes } = line
  const place = { line: number, offset }
  const items: RepairItem[] = []
  for (const { kind } of faults) {
    if (kind === "line-too-long") return undefined
    if (kind === "invalid-utf8" && records.length > 0)
      log.add(place, kind, "Bytes that are not UTF-8 were replaced by U+FFFD.")
    if (kind === "glued-records")
      log.add(place, kind, `${records.length} records on one line were put on lines of their own.`)
  }
  const isRewritten = faults.some(({ kind }) => kind === "invalid-utf8")
  let at = 0
  const keepUnreadable = (to: number): void => {
    const unreadable = bytes.subarray(at, to)
    if (isBlank(unreadable)) return
    const data = preserved(unreadable)
    const value = lost ? damagedEntry(lost, data) : { type: "custom", customType: DAMAGED, data }
    items.push({ line: number, offset: offset + at, value })
    const [kind, what] =
      records.length > 0
        ? (["glued-records", "What is beside them could not be read; it is"] as const)
        : ([faults[0]?.kind ?? "not-an-entry", "The line could not be read as an entry; it is"] as const)
    log.add(place, kind, `${what} kept in an entry of its own.`)
  }
  for (const { value, place } of records) {
    const start = place.offset - offset
    keepUnreadable(start)
    at = start + place.length
    // Bytes that are not UTF-8 cannot stay: the record is written from what was read of it.
    const original = isRewritten ? undefined : { bytes: bytes.subarray(start, at), value }
    items.push({ line: number, offset: place.offset, value, ...(original && { original }) })
  }
  keepUnreadable(bytes.length)
  return items.length === 0 ? undefined : { offset, length: bytes.length, items, split: items.length > 1 }
}

/** The item as a line: what did not change stays as it was written. */
export function itemLine({ value, original }: RepairItem): Uint8Array {
  if (!original) return encodeLine(value)
  return joinBytes([spliceLine(original.bytes, original.value, value), LINE_END])
}

const LINE_END = /* @__PURE__ */ Uint8Array.of(0x0a)

/** The bytes in a form that JSON can hold, from which they can be restored exactly. */
function preserved(bytes: Uint8Array): JsonObject {
  try {
    return { encoding: "utf-8", text: strictText(bytes) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { encoding: "hex", text: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") }
  }
}
