/** A colour, or a weight. */
export type Paint = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan"

/** How lines are drawn: colours or none, which ornaments, how wide. */
export interface Style {
  /** Returns the text unchanged where there are no colours. */
  paint(paint: Paint | readonly Paint[], text: string): string
  readonly glyphs: Glyphs
  /** Columns that a line may take; undefined where nothing is cut. */
  readonly width: number | undefined
  /** Cuts a text without colours to so many columns; what was cut ends with the ellipsis. */
  cut(text: string, columns: number | undefined): string
  /** Breaks a line into pieces of at most so many columns. */
  wrap(line: string, columns: number | undefined): string[]
}

export const UNICODE = {
  on: "●",
  off: "○",
  compactionOn: "◆",
  compactionOff: "◇",
  tee: "├─",
  corner: "└─",
  rail: "│ ",
  leaf: "←",
  call: "→",
  dot: "·",
  rule: "─",
  /** Of charts. */
  bar: "█",
  ellipsis: "…",
} as const

/** Ornaments by their names, such as those of a terminal without Unicode. */
export type Glyphs = Readonly<Record<keyof typeof UNICODE, string>>

/** For files: no colours, no width. A text is cut by characters, not by columns. */
export const PLAIN: Style = {
  paint: (_, text) => text,
  glyphs: UNICODE,
  width: undefined,
  cut: (text, columns) => {
    if (columns === undefined || text.length <= columns) return text
    const characters = Array.from(text)
    if (characters.length <= columns) return text
    return `${characters
      .slice(0, columns - 1)
      .join("")
      .trimEnd()}${UNICODE.ellipsis}`
  },
  wrap: (line) => [line],
}
