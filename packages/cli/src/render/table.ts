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
  const texts = rows.map((row) => columns.map((column) => column.cell(row)))
  const widths = columns.map(({ title, most }, index) => {
    const widest = texts.reduce((width, cells) => Math.max(width, widthOf(cells[index] ?? "")), widthOf(title))
    return style.width === undefined || most === undefined ? widest : Math.min(widest, most)
  })
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const room = style.width === undefined ? undefined : Math.max(LEAST, style.width - before)
  const line = (cells: readonly string[], paint: (index: number, text: string) => string): string =>
    columns
      .map(({ align }, index) => {
        const isLast = index === columns.length - 1
        const width = isLast ? room : style.width === undefined ? undefined : widths[index]
        const text = truncated(cells[index] ?? "", width, style.glyphs.ellipsis)
        const filled = isLast ? text : padded(text, widths[index] ?? 0, align)
        return paint(index, filled)
      })
      .join(GAP)
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  return [
    line(titles, (_, text) => style.paint("dim", text)),
    ...rows.map((row, at) => line(texts[at] ?? [], (index, text) => columns[index]?.paint?.(row, text) ?? text)),
  ]
}
