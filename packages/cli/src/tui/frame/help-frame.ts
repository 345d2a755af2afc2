import type { Style } from "@treelog-internal/text"
import { padded, truncated, widthOf } from "../../render/width.js"
import type { KeyHelp } from "./key-reader.js"
import type { Frame, Size } from "./picker.js"

/** The same in every picker. */
const EVERYWHERE: readonly KeyHelp[] = [
  ["Up, Down", "previous, next row"],
  ["Page Up, Page Down", "previous, next page"],
  ["Home, End", "first, last row"],
  ["letters", "search; every word has to match"],
  ["Backspace, Ctrl-W", "delete a letter, a word of the search"],
]

/** What the keys of a picker do. No line is wider than the screen; on a low one, the keys of this picker come first. */
export function helpFrame(own: readonly KeyHelp[], { paint, glyphs }: Style, { columns, rows }: Size): Frame {
  const keys = [...own, ...EVERYWHERE]
  const width = Math.max(...keys.map(([name]) => widthOf(name)))
  const cut = (line: string): string => truncated(line, columns, glyphs.ellipsis)
  const lines = [
    paint("bold", cut("Keys")),
    ...keys.slice(0, Math.max(0, rows - 3)).map(([name, does]) => cut(`${padded(name, width)}  ${does}`)),
    paint("dim", cut("any key to go back")),
  ]
  return { lines: lines.slice(0, Math.max(1, rows - 1)), cursor: undefined }
}
