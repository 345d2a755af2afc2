import type { Style } from "@treelog-internal/text"
import { cleanLine } from "@treelog-internal/text"
import { truncated } from "./width.js"

/** Columns. A first message may be as long as a book: tables show its beginning, in a pipe, too. */
const MAX_COUNT = 200
/** More than fits is never cleaned. */
const UNITS_PER_COLUMN = 8

/** A name or a first message as a table shows it. */
export function titleText(text: string, { glyphs }: Style): string {
  return truncated(cleanLine(text.slice(0, MAX_COUNT * UNITS_PER_COLUMN)), MAX_COUNT, glyphs.ellipsis)
}
