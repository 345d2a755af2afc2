import type { ExportSource } from "./export-source.js"

/** A piece of what is exported. */
export interface Piece {
  /** What a session says: looked at again before it is written. */
  readonly text: string
  /** In its place, where nothing was looked into. */
  readonly bytes?: Uint8Array
  /** Of our own, in front of it. */
  readonly before?: string
  /** Whether the text must be JSON in the end, too. */
  readonly isJson?: boolean
  /** What of it must stay, though it may look like a secret by chance: signatures and pictures. */
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
  /** Whether pictures are in it without being asked for, since it is for people to look at. */
  readonly inlinesImages?: boolean
  /** The session in that form. What the source gives is redacted already. */
  render(source: ExportSource): AsyncIterable<Piece>
  /** What is made of all of that in the end, once it was looked at again. */
  wrap?(contents: AsyncIterable<string | Uint8Array>, source: ExportSource): AsyncIterable<string>
}
