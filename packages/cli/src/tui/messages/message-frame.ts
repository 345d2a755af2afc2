import { cleanLine, numberText, timeOf } from "@treelog-internal/text"
import { truncated } from "../../render/width.js"
import type { Frame, Size } from "../frame/frame.js"
import type { KeyHelp } from "../frame/key-press.js"
import { listFrame } from "../frame/list-frame.js"
import type { ListWindow } from "../frame/list-window.js"
import type { PickerDisplay } from "../frame/picker-environment.js"
import type { TextField } from "../frame/text-field.js"

/** Something that was said, as a list shows it. */
export interface ListedMessage {
  readonly entryId: string
  readonly text: string
  readonly timestamp: string
  /** Whether the session stands below it. */
  readonly isActive: boolean
}

export interface MessageList {
  readonly query: TextField
  readonly shown: readonly ListedMessage[]
  /** How many there are. */
  readonly total: number
  readonly window: ListWindow
}

/** Lines about the selected message. */
export const DETAILS = 1

const KEYS = ["Enter forks before it", "Esc cancels", "? keys", "type to search", "^U clears"]

export const KEYS_IN_WORDS: readonly KeyHelp[] = [
  ["Enter", "fork before this message"],
  ["Esc, Ctrl-C", "leave without a fork"],
  ["Ctrl-U", "clear the search"],
]

/** What the screen shows. No line is wider than the screen. */
export function messageFrame(
  { query, shown, total, window }: MessageList,
  { style }: PickerDisplay,
  size: Size,
): Frame {
  const { glyphs } = style
  const selected = shown[window.selected]
  const count = shown.length === total ? numberText(total) : `${numberText(shown.length)} of ${numberText(total)}`
  return listFrame(
    {
      prompt: "> ",
      field: query,
      status: style.paint("dim", truncated(`messages of the user: ${count}`, size.columns, glyphs.ellipsis)),
      window,
      count: shown.length,
      row: (index, room, isSelected) => {
        const { text = "", isActive = false } = shown[index] ?? {}
        const mark = isActive ? glyphs.on : glyphs.off
        // More than fits is never cleaned: messages can be long.
        const line = truncated(
          cleanLine(text.slice(0, 8 * room)) || "(no text)",
          Math.max(0, room - 2),
          glyphs.ellipsis,
        )
        return `${style.paint(isActive ? "cyan" : "dim", mark)} ${isSelected ? style.paint("bold", line) : line}`
      },
      nothing: "No message found.",
      details: [selected ? [timeOf(selected.timestamp), cleanLine(selected.entryId)].filter(Boolean).join("  ") : ""],
      keys: KEYS,
    },
    style,
    size,
  )
}
