import { cleanLine, type Style } from "@treelog-internal/text"
import { padded, truncated, widthOf } from "./width.js"

export interface Column<Row> {
  readonly title: string
  /** Clean text, without colours. */
  cell(row: Row): string
  readonly paint?: (row: Row, text: string) => string
  readonly align?: "left" | "right"
  /** The widest that the column may get where lines are cut. */
  readonly most?: number
  /**
   * The narrowest that the column may get where the lines would not fit. Default: as wide as its cells. The last column gets so
   * narrow only where all others are as narrow as they may get, and those with `omit` are left out.
   */
  readonly least?: number
  /** Left out where the lines would not fit even so, the highest number first. */
  readonly omit?: number
}

const GAP = "  "
/** The narrowest that a last column may get by default. */
const MIN_LENGTH = 8

/** One line for the titles and one for each row. The last column takes what room is left, and is cut where lines are. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: Style): string[] {
  return new Table(columns, style).lines(rows)
}

/** A table that is printed page by page: a column gets wider when a row needs it, from there on. No line is wider than the screen. */
export class Table<Row> {
  #columns: readonly Column<Row>[]
  readonly #style: Style
  /** The width of the widest cell so far. */
  readonly #natural = new Map<Column<Row>, number>()
  #hasTitles = false

  constructor(columns: readonly Column<Row>[], style: Style) {
    this.#columns = columns
    this.#style = style
    for (const column of columns) this.#natural.set(column, widthOf(column.title))
  }

  /** One line for each row, and one for the titles before the first. */
  lines(rows: readonly Row[]): string[] {
    const texts = rows.map((row) => new Map(this.#columns.map((column) => [column, column.cell(row)])))
    for (const cells of texts) this.#widen(cells)
    if (!this.#hasTitles) this.#columns = this.#fitting()
    const widths = this.#widths(this.#columns)
    const lines = rows.map((row, at) =>
      this.#line(
        widths,
        (column) => texts[at]?.get(column) ?? "",
        (column, text) => column.paint?.(row, text) ?? text,
      ),
    )
    if (this.#hasTitles) return lines
    this.#hasTitles = true
    const title = this.#line(
      widths,
      (column) => column.title,
      (_, text) => this.#style.paint("dim", text),
    )
    return [title, ...lines]
  }

  #widen(cells: ReadonlyMap<Column<Row>, string>): void {
    const isCut = this.#style.width !== undefined
    for (const [column, text] of cells) {
      const { most = Number.POSITIVE_INFINITY } = column
      const width = isCut ? Math.min(widthOf(text), most) : widthOf(text)
      this.#natural.set(column, Math.max(this.#natural.get(column) ?? 0, width))
    }
  }

  /** The columns that fit. */
  #fitting(): readonly Column<Row>[] {
    let columns = this.#columns
    const byRank = columns.filter(({ omit }) => omit !== undefined).sort((a, b) => (b.omit ?? 0) - (a.omit ?? 0))
    for (const column of byRank) {
      if (this.#excess(columns, this.#widths(columns)) <= 0) break
      columns = columns.filter((other) => other !== column)
    }
    return columns
  }

  /** How wide each column is drawn. */
  #widths(columns: readonly Column<Row>[]): Map<Column<Row>, number> {
    const widths = new Map(columns.map((column) => [column, this.#natural.get(column) ?? 0]))
    let excess = this.#excess(columns, widths)
    const shrinking = columns
      .slice(0, -1)
      .filter(({ least }) => least !== undefined)
      .sort((a, b) => of(widths, b) - of(widths, a))
    for (const column of shrinking) {
      const taken = Math.max(0, Math.min(excess, of(widths, column) - (column.least ?? 0)))
      widths.set(column, of(widths, column) - taken)
      excess -= taken
    }
    return widths
  }

  /** How many columns of the screen are missing. */
  #excess(columns: readonly Column<Row>[], widths: ReadonlyMap<Column<Row>, number>): number {
    if (this.#style.width === undefined) return 0
    const last = columns.at(-1)
    const needed = columns.reduce(
      (sum, column) =>
        sum + (column === last ? Math.min(of(widths, column), column.least ?? MIN_LENGTH) : of(widths, column)),
      GAP.length * (columns.length - 1),
    )
    return needed - this.#style.width
  }

  #line(
    widths: ReadonlyMap<Column<Row>, number>,
    cell: (column: Column<Row>) => string,
    paint: (column: Column<Row>, text: string) => string,
  ): string {
    const { width: all = Number.POSITIVE_INFINITY, glyphs } = this.#style
    let line = ""
    let used = 0
    for (const [index, column] of this.#columns.entries()) {
      const gap = index === 0 ? 0 : GAP.length
      const room = all - used - gap
      if (room <= 0) break
      const isLast = index === this.#columns.length - 1
      const width = isLast ? room : Math.min(of(widths, column), room)
      const text = truncated(cell(column), width === Number.POSITIVE_INFINITY ? undefined : width, glyphs.ellipsis)
      line +=
        " ".repeat(gap) +
        paint(
          column,
          isLast && column.align !== "right" ? text : padded(text, Math.min(width, of(widths, column)), column.align),
        )
      used += gap + width
    }
    return line.trimEnd()
  }
}

function of<Row>(widths: ReadonlyMap<Column<Row>, number>, column: Column<Row>): number {
  return widths.get(column) ?? 0
}

export type Fact = readonly [name: string, value: string]

/** Facts, a line each: the names in a column before the values. */
export function factLines(facts: readonly Fact[], { paint }: Style): string[] {
  const width = Math.max(0, ...facts.map(([name]) => widthOf(name)))
  return facts.map(([name, value]) => `${paint("dim", padded(name, width))}  ${cleanLine(value)}`)
}
