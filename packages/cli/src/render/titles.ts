import { titleLine } from "@treelog/session-core/adapter"
import { cleanLine, type Style } from "@treelog-internal/text"
import { fits, truncated } from "./width.js"

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
