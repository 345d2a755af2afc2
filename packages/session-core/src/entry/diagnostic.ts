/** The kinds of faults of a stored session. A diagnostic is a value: no reader throws because of one. */
export type DiagnosticKind =
  // lines
  | "invalid-json"
  | "invalid-utf8"
  | "torn-line"
  | "unterminated-line"
  | "glued-records"
  | "not-an-entry"
  | "extra-header"
  | "line-too-long"
  | "unreadable-part"
  // header
  | "old-version"
  | "unsupported-version"
  | "invalid-header-field"
  // tree
  | "duplicate-id"
  | "missing-parent"
  | "self-parent"
  | "cycle"
  | "unknown-leaf-target"
  | "unknown-label-target"
  | "concurrent-branch"
  // context
  | "unknown-compaction-boundary"
  | "checkpoint-mismatch"
  | "invalid-field"
  // blobs
  | "missing-blob"
  | "damaged-blob"
  | "cut-text"
  // migration
  | "dropped-compaction-boundary"
  // writing
  | "foreign-append"

/** One fault: its kind, its place, and a sentence for people. */
export interface Diagnostic {
  readonly kind: DiagnosticKind
  /** Line number in the file, from 1. */
  readonly line?: number
  /** Byte offset in the file. */
  readonly offset?: number
  readonly entryId?: string
  readonly message: string
}

/** Kinds that report something where nothing is broken. */
const NOTES: ReadonlySet<DiagnosticKind> = new Set<DiagnosticKind>([
  "unterminated-line",
  "old-version",
  "unsupported-version",
  "foreign-append",
  "cut-text",
  "concurrent-branch",
])

/** Whether a diagnostic reports damage: false for notes, such as an old version. */
export function isDamage({ kind }: Diagnostic): boolean {
  return !NOTES.has(kind)
}
