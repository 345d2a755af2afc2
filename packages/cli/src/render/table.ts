import { titleLine } from "@treelog/session-core/adapter"
import { cleanLine, type Style } from "@treelog-internal/text"
import { fits, padded, truncated, widthOf } from "./width.js"

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
  /** With `omit`: also left out where the last column would get less than this, and needs it. */
  readonly beside?: number
  /** Left out where the first rows have nothing in it. */
  readonly isSparse?: boolean
}

/** How rows are drawn, and what ages and names of folders are computed from. */
export interface Look {
  readonly style: Style
  /** Milliseconds since 1970. */
  readonly now: number
  readonly home: string | undefined
}

const GAP = "  "
/** The narrowest that a last column may get by default. */
const MIN_LENGTH = 8

/** One line for the titles and one for each row. The last column takes what room is left, and is cut where lines are. */
export function tableLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: Style): string[] {
  return new Table(columns, style).lines(rows)
}

interface Cells<Row> {
  readonly column: Column<Row>
  readonly texts: readonly string[]
  /** Of the texts; none where nothing depends on them. */
  readonly widths: readonly number[]
}

/** A table that is printed page by page: a column gets wider when a row needs it, from there on. No line is wider than the screen. */
export class Table<Row> {
  /** Those that are drawn. */
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
    let cells = this.#columns.map((column) => this.#cellsOf(column, rows))
    if (!this.#hasTitles) {
      const filled = cells.filter(({ column, texts }) => !column.isSparse || texts.some((text) => text !== ""))
      this.#columns = this.#fitting(filled.map(({ column }) => column))
      cells = cells.filter(({ column }) => this.#columns.includes(column))
    }
    const widths = this.#widths(this.#columns)
    const drawn = this.#columns.map((column) => of(widths, column))
    const lines: string[] = []
    if (!this.#hasTitles) lines.push(this.#line(drawn, this.#columns.map(titleOf), 0))
    this.#hasTitles = true
    for (const [at, row] of rows.entries()) lines.push(this.#line(drawn, cells, at, row))
    return lines
  }

  /** The cells of these rows. From here on, the column is as wide as the widest of them. */
  #cellsOf(column: Column<Row>, rows: readonly Row[]): Cells<Row> {
    const texts = rows.map((row) => column.cell(row))
    // Where lines are not cut, nothing depends on the widths of the last column, whose texts are the longest.
    if (this.#style.width === undefined && column.align !== "right" && column === this.#columns.at(-1))
      return { column, texts, widths: [] }
    const widths = texts.map(widthOf)
    const most = (this.#style.width !== undefined && column.most) || Number.POSITIVE_INFINITY
    let widest = of(this.#natural, column)
    for (const width of widths) widest = Math.max(widest, Math.min(width, most))
    this.#natural.set(column, widest)
    return { column, texts, widths }
  }

  /** The columns that fit. */
  #fitting(all: readonly Column<Row>[]): readonly Column<Row>[] {
    let columns = all
    const byRank = columns.filter(({ omit }) => omit !== undefined).sort((a, b) => (b.omit ?? 0) - (a.omit ?? 0))
    for (const column of byRank) {
      if (this.#excess(columns, this.#widths(columns), column.beside) <= 0) continue
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
  #excess(columns: readonly Column<Row>[], widths: ReadonlyMap<Column<Row>, number>, leastLast?: number): number {
    if (this.#style.width === undefined) return 0
    const last = columns.at(-1)
    const needed = columns.reduce(
      (sum, column) =>
        sum +
        (column === last ? Math.min(of(widths, column), leastLast ?? column.least ?? MIN_LENGTH) : of(widths, column)),
      GAP.length * (columns.length - 1),
    )
    return needed - this.#style.width
  }

  /** @param drawn how wide each column is drawn @param row undefined for the titles */
  #line(drawn: readonly number[], cells: readonly Cells<Row>[], at: number, row?: Row): string {
    const { width: all = Number.POSITIVE_INFINITY, glyphs } = this.#style
    let line = ""
    let used = 0
    for (let index = 0; index < cells.length; index++) {
      const { column, texts, widths } = cells[index] as Cells<Row>
      const gap = index === 0 ? "" : GAP
      const room = all - used - gap.length
      if (room <= 0) break
      const isLast = index === cells.length - 1
      const own = Math.min(drawn[index] ?? 0, room)
      const width = isLast ? room : own
      const text = texts[at] ?? ""
      const natural = widths[at] ?? 0
      const shown = natural <= width ? text : truncated(text, width, glyphs.ellipsis)
      const fill = isLast && column.align !== "right" ? 0 : own - (shown === text ? natural : widthOf(shown))
      const blank = fill > 0 ? " ".repeat(fill) : ""
      const cell = column.align === "right" ? blank + shown : shown + blank
      line += gap + (row === undefined ? this.#style.paint("dim", cell) : (column.paint?.(row, cell) ?? cell))
      used += gap.length + width
    }
    return line.trimEnd()
  }
}

function titleOf<Row>(column: Column<Row>): Cells<Row> {
  return { column, texts: [column.title], widths: [widthOf(column.title)] }
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

/** Columns. First messages can be very long: tables show their beginning, also in a pipe. */
const MAX_COUNT = 200
/** What is cleaned at first, and at most, where much of it is not shown. UTF-16 units. */
const [UNITS, MOST_UNITS] = [2 * MAX_COUNT, 8 * MAX_COUNT]

/** A name or a first message as a table shows it. */
export function titleText(whole: string, { glyphs }: Style): string {
  const text = titleLine(whole)
  for (let units = UNITS; ; units *= 2) {
    const title = cleanLine(text.slice(0, units))
    if (units < text.length && units < MOST_UNITS && fits(title, MAX_COUNT)) continue
    return truncated(title, MAX_COUNT, glyphs.ellipsis)
  }
}
