import type { Style } from "./style.js"
import { padded, truncated, widthOf } from "./width.js"

export interface Column<Row> {
  readonly title: string
  /** Clean text, without colours. */
  cell(row: Row): string
  readonly paint?: (row: Row, text: string) => string
  readonly align?: "left" | "right"
  /** The widest that the column may get where lines are cut. */
  readonly most?: number
}

const GAP = "  "
/** A last column that is narrower tells nothing. */
const LEAST = 8

/** One line for the titles and one for each row. The last column takes what room is left, and is cut where lines are. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: Style): string[] {
  return new Table(columns, style).lines(rows)
}

/** A table whose rows come some at a time: a column gets wider when a row needs it, from there on. */
export class Table<Row> {
  readonly #columns: readonly Column<Row>[]
  readonly #style: Style
  readonly #widths: number[]
  #hasTitles = false

  constructor(columns: readonly Column<Row>[], style: Style) {
    this.#columns = columns
    this.#style = style
    this.#widths = columns.map(({ title }) => widthOf(title))
  }

  /** One line for each row, and one for the titles before the first. */
  lines(rows: readonly Row[]): string[] {
    const texts = rows.map((row) => this.#columns.map((column) => column.cell(row)))
    this.#widen(texts)
    const lines = rows.map((row, at) =>
      this.#line(texts[at] ?? [], (index, text) => this.#columns[index]?.paint?.(row, text) ?? text),
    )
    if (this.#hasTitles) return lines
    this.#hasTitles = true
    const titles = this.#columns.map(({ title }) => title)
    return [this.#line(titles, (_, text) => this.#style.paint("dim", text)), ...lines]
  }

  #widen(texts: readonly (readonly string[])[]): void {
    const isCut = this.#style.width !== undefined
    // The last one takes what is left.
    this.#columns.slice(0, -1).forEach(({ most = Number.POSITIVE_INFINITY }, index) => {
      const widest = texts.reduce((width, cells) => Math.max(width, widthOf(cells[index] ?? "")), 0)
      this.#widths[index] = Math.max(this.#widths[index] ?? 0, isCut ? Math.min(widest, most) : widest)
    })
  }

  #line(cells: readonly string[], paint: (index: number, text: string) => string): string {
    const { width: all, glyphs } = this.#style
    const before = this.#widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
    return this.#columns
      .map(({ align }, index) => {
        const isLast = index === this.#columns.length - 1
        const room = isLast ? Math.max(LEAST, (all ?? 0) - before) : this.#widths[index]
        const text = truncated(cells[index] ?? "", all === undefined ? undefined : room, glyphs.ellipsis)
        return paint(index, isLast ? text : padded(text, this.#widths[index] ?? 0, align))
      })
      .join(GAP)
      .trimEnd()
  }
}
