/**
 * Who wrote a session: `pi` (with the kinds of pi 1.x), `pi-v1` (no ids, compactions keep from an index), `pi-migrated` (a v1
 * session that pi rewrote: ids are at the end of every line), `omp` (title slot, roles, modes, images as blob references) or
 * `treelog` (compactions carry a checkpoint; images stay in their lines, as without a blob store).
 */
export type SessionStyle = "pi" | "pi-v1" | "pi-migrated" | "omp" | "treelog"

/** Mean size of a tool's output in the real session that sizes and shares were taken from. UTF-16 units. */
export const USUAL_OUTPUT = 2_700

export interface SessionShape {
  readonly seed: number
  readonly style: SessionStyle
  /** Lines that are entries; the header and omp's title line come on top. */
  readonly entries: number
  /** How many of the turns start from an earlier point of the conversation, 0 to 1. Default 0.03; v1 knows no branches. */
  readonly branching?: number
  /** How many turns such a branch goes back at most. Without it some begin near the start, or before everything. */
  readonly reach?: number
  /** How many compactions there are, evenly spread. Default one for each 600 entries. */
  readonly compactions?: number
  /**
   * Mean size of what commands and files put out, in UTF-16 units. Default 2,700, with which an entry takes about 2.5 KB on
   * average, as in that real session. With 12,000 it takes about 5 KB.
   */
  readonly toolOutput?: number
  /** How many of the user's messages carry an image, 0 to 1. Default 0.02. */
  readonly images?: number
  /** Mean size of an image, in bytes. Default 40,000. */
  readonly imageBytes?: number
  /** After how many of the turns an earlier tool result is edited (`context_edit`, pi 1.x), 0 to 1. Default 0.01. */
  readonly edits?: number
  /** Of a `pi-migrated` session: how many of the entries pi appended after the migration, in its present key order. Default 0. */
  readonly grown?: number
  /** Default `/home/dev/shop`. */
  readonly cwd?: string
  /** Milliseconds since 1970. Default 2026-03-02T09:00:00Z. */
  readonly start?: number
  /** What the ids of entries begin with, before 8 hex digits. Default: nothing. */
  readonly idPrefix?: string
}

export type WholeShape = Required<SessionShape>

export function wholeShape(shape: SessionShape): WholeShape {
  const { entries, style } = shape
  return {
    branching: 0.03,
    reach: Number.POSITIVE_INFINITY,
    compactions: Math.floor(entries / 600),
    toolOutput: USUAL_OUTPUT,
    images: 0.02,
    imageBytes: 40_000,
    grown: 0,
    cwd: "/home/dev/shop",
    start: Date.UTC(2026, 2, 2, 9),
    idPrefix: "",
    ...shape,
    edits: style === "pi" ? (shape.edits ?? 0.01) : 0,
  }
}
