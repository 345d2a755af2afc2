/** What a screen shows. */
export interface Frame {
  readonly lines: readonly string[]
  /** The column of the cursor in the first line; undefined where it is hidden. */
  readonly cursor: number | undefined
}

/** Of a terminal, in columns and rows. */
export interface Size {
  readonly columns: number
  readonly rows: number
}
