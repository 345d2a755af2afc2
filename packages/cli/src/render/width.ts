import { charactersOf } from "./characters.js"
import { quickWidth, stringWidth } from "./quick-width.js"

const ESCAPE = String.fromCharCode(0x1b)
const PRINTABLE_ASCII = /^[ -~]*$/

/** Widths of characters as people see them: a screen measures the same ones again and again. */
const KNOWN = new Map<string, number>()
const MAX_KNOWN = 10_000

/** Columns that a text takes: two for CJK and emoji, none for colours. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length
  if (text.includes(ESCAPE)) return stringWidth(text)
  let width = 0
  for (const { segment } of charactersOf(text)) width += characterWidth(segment)
  return width
}

function characterWidth(character: string): number {
  const known = KNOWN.get(character)
  if (known !== undefined) return known
  const width = quickWidth(character) ?? stringWidth(character)
  if (KNOWN.size < MAX_KNOWN) KNOWN.set(character, width)
  return width
}

/** Fills up with spaces to a width. */
export function padded(text: string, width: number, align: "left" | "right" = "left"): string {
  const fill = " ".repeat(Math.max(0, width - widthOf(text)))
  return align === "left" ? text + fill : fill + text
}

/** More code units than this for one column are no text that can be read; measuring stops there. */
const UNITS_PER_COLUMN = 4

/** Whether a text fits. Reads no more of a long one than needed. */
export function fits(text: string, width: number): boolean {
  if (text.length * 2 <= width) return true
  return text.length <= width * UNITS_PER_COLUMN && widthOf(text) <= width
}

/** Cuts a text without colours to a width; what was cut ends with the ellipsis. */
export function truncated(text: string, width: number | undefined, ellipsis: string): string {
  if (width === undefined || fits(text, width)) return text
  const room = width - widthOf(ellipsis)
  if (room < 0) return ""
  return headOf(text, room).trimEnd() + ellipsis
}

/** As much of the end as fits, in whole characters as people see them. */
export function tailOf(text: string, width: number): string {
  let room = width
  let start = text.length
  const end = text.slice(-Math.max(1, width) * UNITS_PER_COLUMN)
  for (const { segment } of [...charactersOf(end)].reverse()) {
    room -= characterWidth(segment)
    if (room < 0) break
    start -= segment.length
  }
  return text.slice(start)
}

/** As much of the beginning as fits, in whole characters as people see them. */
export function headOf(text: string, width: number): string {
  if (PRINTABLE_ASCII.test(text)) return text.slice(0, width)
  let taken = 0
  let end = 0
  for (const { segment, index } of charactersOf(text.slice(0, width * UNITS_PER_COLUMN))) {
    taken += characterWidth(segment)
    if (taken > width) return text.slice(0, end)
    end = index + segment.length
  }
  return text.slice(0, end)
}
