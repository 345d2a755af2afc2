import type { DiagnosticKind } from "../entry/diagnostic.js"

/** What is wrong with the links between entries. */
export interface TreeFault {
  readonly kind: Extract<DiagnosticKind, "duplicate-id" | "missing-parent" | "self-parent" | "cycle">
  /** Which entry, counted from 0 in file order. */
  readonly ordinal: number
  readonly entryId: string
  readonly message: string
}
