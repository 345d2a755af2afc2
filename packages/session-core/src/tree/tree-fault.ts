import type { DiagnosticKind } from "../entry/diagnostic.js"

/** A fault in the parent link of an entry. */
export interface TreeFault {
  readonly kind: Extract<DiagnosticKind, "duplicate-id" | "missing-parent" | "self-parent" | "cycle">
  /** The entry, numbered from 0 in file order. */
  readonly ordinal: number
  readonly entryId: string
  readonly message: string
}
