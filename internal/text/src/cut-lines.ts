import { cleanText, textOf } from "./clean-text.js"
import type { Paint, Style } from "./style.js"

const MAX_LINES = 10
const MAX_CHARACTERS = 2000
/** Escape sequences go, so that more is read than is shown. */
const MAX_SCANNED = 8 * MAX_CHARACTERS

export interface CutOptions {
  readonly style: Style
  /** Cut nothing. */
  readonly full: boolean
  /** The colour of a line, by what it holds. */
  readonly paintOf?: (line: string) => Paint | undefined
}

/** The lines of a clean text, wrapped and indented. */
export function bodyLines(text: string, { style, paintOf }: CutOptions, indent = "  "): string[] {
  if (text.trim() === "") return []
  return text
    .trimEnd()
    .replace(/^\s*\n/, "")
    .split("\n")
    .flatMap((line) => {
      const pieces = style.wrap(`${indent}${line}`.trimEnd(), style.width)
      const paint = paintOf?.(line)
      return paint ? pieces.map((piece) => style.paint(paint, piece)) : pieces
    })
}

/**
 * A stored text that is shown for reference: its beginning, clean, and how many lines follow. What is not
 * shown of a very long text is not read, only its line breaks are counted.
 */
export function cutLines(stored: unknown, options: CutOptions, indent = "  "): string[] {
  const { style, full } = options
  if (full) return bodyLines(cleanText(stored), options, indent)
  const raw = textOf(stored).trimEnd()
  const isLong = raw.length > MAX_SCANNED
  const beginning = cleanText(raw.slice(0, MAX_SCANNED))
  const text = isLong ? beginning : beginning.trimEnd()
  const lines = text.split("\n")
  const head = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_CHARACTERS)
  const shown = bodyLines(head, options, indent)
  const hidden = lines.length - head.split("\n").length + lineEnds(raw, MAX_SCANNED)
  const { ellipsis } = style.glyphs
  if (hidden > 0)
    return [
      ...shown,
      `${indent}${style.paint("dim", `${ellipsis} ${hidden} more ${hidden === 1 ? "line" : "lines"} (--full)`)}`,
    ]
  if (head.length < text.length || isLong)
    return [...shown, `${indent}${style.paint("dim", `${ellipsis} more (--full)`)}`]
  return shown
}

function lineEnds(text: string, from: number): number {
  let count = 0
  for (let at = text.indexOf("\n", from); at !== -1; at = text.indexOf("\n", at + 1)) count += 1
  return count
}
