import { cleanLine, cleanText } from "../render/clean-text.js"
import { folderName } from "../render/folder-name.js"
import type { Style } from "../render/style.js"
import { ageOf, timeAt } from "../render/time.js"
import { padded, tailOf, truncated, widthOf } from "../render/width.js"
import { type PickerState, SCOPES } from "./picker-state.js"

export interface FrameOptions {
  readonly style: Style
  readonly columns: number
  readonly rows: number
  /** Milliseconds since 1970. */
  readonly now: number
  readonly home: string | undefined
}

export interface PickerFrame {
  readonly lines: readonly string[]
  /** The column of the cursor, in the first line. */
  readonly cursor: number
}

/** Query, scopes, what is known of the selected prompt, keys; and the last row of the screen stays free. */
const OTHER_ROWS = 5
const MARKER = "> "
const NO_MARKER = "  "
const KEYS = "Enter prints   Tab changes the scope   Ctrl-U clears   Esc leaves"

/** Rows for prompts on a screen of so many. */
export function listHeight(rows: number): number {
  return Math.max(1, rows - OTHER_ROWS)
}

/** What the screen shows. No line is wider than the screen. */
export function pickerFrame(state: PickerState, options: FrameOptions): PickerFrame {
  const { style, columns, rows } = options
  const query = tailOf(cleanText(state.wanted.query).replace(/\s/g, " "), columns - MARKER.length - 1)
  const keys = truncated(KEYS, columns, style.glyphs.ellipsis)
  const lines = [
    `${style.paint("cyan", MARKER)}${query}`,
    scopeLine(state, options),
    ...promptLines(state, options),
    detailLine(state, options),
    style.paint("dim", keys),
  ]
  return { lines: lines.slice(0, Math.max(1, rows - 1)), cursor: MARKER.length + widthOf(query) }
}

function scopeLine({ wanted, answer }: PickerState, { style, columns }: FrameOptions): string {
  const { length } = answer.prompts
  const count = length === answer.request.limit ? `${length.toLocaleString("en-US")}+` : length.toLocaleString("en-US")
  const names = SCOPES.map((name) => (name === wanted.scope ? `[${name}]` : ` ${name} `))
  const line = `${names.join(" ")}   ${count}`
  if (widthOf(line) > columns) return truncated(`[${wanted.scope}] ${count}`, columns, style.glyphs.ellipsis)
  const painted = names.map((name) => style.paint(name.startsWith("[") ? "bold" : "dim", name))
  return `${painted.join(" ")}   ${style.paint("dim", count)}`
}

function promptLines({ answer, selected, top }: PickerState, options: FrameOptions): string[] {
  const { style, columns, rows, now } = options
  const height = listHeight(rows)
  const shown = answer.prompts.slice(top, top + height)
  const ages = shown.map(({ createdAt }) => ageOf(createdAt, now))
  const ageWidth = Math.max(0, ...ages.map(widthOf))
  const lines = shown.map(({ text }, at) => {
    const isSelected = top + at === selected
    const marker = isSelected ? MARKER : NO_MARKER
    const age = padded(ages[at] ?? "", ageWidth, "right")
    const room = columns - marker.length - ageWidth - 2
    // More than fits is never cleaned: prompts can be long.
    const line = truncated(cleanLine(text.slice(0, 8 * columns)), Math.max(0, room), style.glyphs.ellipsis)
    return isSelected
      ? `${style.paint("cyan", marker)}${style.paint("dim", age)}  ${style.paint("bold", line)}`
      : `${marker}${style.paint("dim", age)}  ${line}`
  })
  const notice = truncated(answer.notice ?? "No prompt found.", columns, style.glyphs.ellipsis)
  if (lines.length === 0) lines.push(style.paint("dim", notice))
  return [...lines, ...Array.from({ length: height - lines.length }, () => "")]
}

/** When and where the selected prompt was given. */
function detailLine({ answer, selected }: PickerState, { style, columns, home }: FrameOptions): string {
  const prompt = answer.prompts[selected]
  if (!prompt) return ""
  const text = `${timeAt(prompt.createdAt)}  ${folderName(prompt.cwd ?? "", home)}`
  return style.paint("dim", truncated(text, columns, style.glyphs.ellipsis))
}
