import { cleanLine } from "./clean-text.js"
import type { Style } from "./style.js"
import { truncated } from "./width.js"

/** Columns. A first message may be as long as a book: tables tell the beginning of it, in a pipe, too. */
const MOST = 200
/** More than fits is never cleaned. */
const UNITS_A_COLUMN = 8

/** A name or a first message as a table shows it. */
export function titleText(text: string, { glyphs }: Style): string {
  return truncated(cleanLine(text.slice(0, MOST * UNITS_A_COLUMN)), MOST, glyphs.ellipsis)
}
