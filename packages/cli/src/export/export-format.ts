import type { ExportSource } from "./export-source.js"

/** A piece of what is exported. */
export interface Piece {
  /** The text of a session: scanned again before it is written. */
  readonly text: string
  /** Used instead when nothing was parsed. */
  readonly bytes?: Uint8Array
  /** Of our own, in front of it. */
  readonly before?: string
  /** Whether the text must be JSON in the end, too. */
  readonly isJson?: boolean
  /** What must not be redacted, though it may look like a secret: signatures and pictures. */
  readonly opaque?: ReadonlySet<string>
}

/** A form that a session can be exported in. To add one: a file beside this, and a row in formats.ts. */
export interface ExportFormat {
  /** What is exported where neither a leaf nor all branches are asked for. */
  readonly scope: "branch" | "all"
  /** Whether it has a place for pictures. */
  readonly hasImages: boolean
  /** Whether it is JSON: a terminal gets that with all that it might obey escaped. Any other form is clean already. */
  readonly isJson: boolean
  /** Whether pictures are in it without being asked for, since people view it. */
  readonly inlinesImages?: boolean
  /** The session in that form. What the source gives is redacted already. */
  render(source: ExportSource): AsyncIterable<Piece>
  /** What is made of all of that in the end, after the second scan. */
  wrap?(contents: AsyncIterable<string | Uint8Array>, source: ExportSource): AsyncIterable<string>
}
