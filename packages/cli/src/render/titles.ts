import { cleanLine, type Style } from "@treelog-internal/text"
import { truncated } from "./width.js"

/** A folder for display: `~` for the home folder, `-` for none. */
export function folderName(cwd: string, home: string | undefined): string {
  const isInHome = home !== undefined && home.length > 1 && (cwd === home || cwd.startsWith(`${home}/`))
  return cleanLine(isInHome ? `~${cwd.slice(home.length)}` : cwd) || "-"
}

/** Columns. First messages can be very long: tables show their beginning, also in a pipe. */
const MAX_COUNT = 200
/** Only what can fit is cleaned. */
const UNITS_PER_COLUMN = 8

/** A name or a first message as a table shows it. */
export function titleText(text: string, { glyphs }: Style): string {
  return truncated(cleanLine(text.slice(0, MAX_COUNT * UNITS_PER_COLUMN)), MAX_COUNT, glyphs.ellipsis)
}
