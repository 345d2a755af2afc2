import type { Style } from "./style.js"
import { wrapLine } from "./wrap-line.js"

const MOST_LINES = 10
const MOST_CHARACTERS = 2000

export interface CutOptions {
  readonly style: Style
  /** Cut nothing. */
  readonly full: boolean
}

/** The lines of a clean text, wrapped and indented. */
export function bodyLines(text: string, { style }: CutOptions, indent = "  "): string[] {
  if (text.trim() === "") return []
  return text
    .replace(/^(\s*\n)+|\s+$/g, "")
    .split("\n")
    .flatMap((line) => wrapLine(`${indent}${line}`.trimEnd(), style.width))
}

/** The same of a text that is shown for reference only: its beginning, and how much more there is. */
export function cutLines(text: string, options: CutOptions): string[] {
  const { style, full } = options
  if (full) return bodyLines(text, options)
  const lines = text.trimEnd().split("\n")
  const head = lines.slice(0, MOST_LINES).join("\n").slice(0, MOST_CHARACTERS)
  const shown = bodyLines(head, options)
  const hidden = lines.length - head.split("\n").length
  const { ellipsis } = style.glyphs
  if (hidden > 0)
    return [
      ...shown,
      `  ${style.paint("dim", `${ellipsis} ${hidden} more ${hidden === 1 ? "line" : "lines"} (--full)`)}`,
    ]
  if (head.length < text.trimEnd().length) return [...shown, `  ${style.paint("dim", `${ellipsis} more (--full)`)}`]
  return shown
}
