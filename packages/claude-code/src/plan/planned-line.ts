import type { ResponseUsage } from "../source/record-facts.js"
import type { SourceRecord } from "../source/source-record.js"

interface PlannedHead {
  readonly id: string
  readonly parentId: string | null
  /** The record whose time the entry has, or the time: ISO 8601, or what the source has in its place. */
  readonly timed: SourceRecord | string
}

/** One entry of the conversion: which records it is made of, and all that linking decided about it. */
export type PlannedLine = PlannedHead &
  (
    | {
        readonly type: "reply"
        readonly records: readonly SourceRecord[]
        readonly usage: ResponseUsage | undefined
        readonly isAborted: boolean
      }
    | { readonly type: "user" | "meta" | "reminder" | "queued"; readonly record: SourceRecord }
    /** @param block position among the results of its line. */
    | { readonly type: "result"; readonly record: SourceRecord; readonly block: number; readonly toolName: string }
    /** The blocks of a line of results that are no results. */
    | { readonly type: "beside-results"; readonly record: SourceRecord }
    | {
        readonly type: "compaction"
        readonly boundary: SourceRecord | undefined
        readonly summary: SourceRecord
        readonly firstKept: string
      }
    | { readonly type: "model"; readonly model: string }
    | { readonly type: "place"; readonly cwd: string; readonly gitBranch: string | undefined }
    | { readonly type: "kept"; readonly record: SourceRecord }
    | { readonly type: "damaged"; readonly record: SourceRecord }
    | { readonly type: "title"; readonly name: string }
    | { readonly type: "label"; readonly target: string; readonly label: string }
    | { readonly type: "usage"; readonly usage: ResponseUsage }
    /** The content of an edit: its record and the position in it; null omits the target. */
    | {
        readonly type: "edit"
        readonly target: string
        readonly content: { readonly record: SourceRecord; readonly item: number } | null
      }
    | { readonly type: "leaf" }
  )

/** The header of the conversion. */
export interface PlannedHeader {
  readonly id: string
  readonly timestamp: string
  readonly cwd: string
  readonly parentSession: string | undefined
  readonly version: string | undefined
  readonly gitBranch: string | undefined
  readonly path: string | undefined
}

/**
 * Whether two plans of one file give the same line. Records are the same where they have the same bytes: what stands in the file
 * does not change while it grows.
 */
export function isSameLine(a: object, b: object): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => isSameValue(a[key as never], b[key as never]))
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSameValue(item, b[at]))
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if ("offset" in a && "offset" in b && "length" in a && "length" in b)
    return a.offset === b.offset && a.length === b.length
  return isSameLine(a, b)
}
