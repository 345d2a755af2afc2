import { containsTerms, foldText, plainTerms } from "@treelog/session-core/search"
import { cleanLine, timeOf } from "@treelog-internal/text"
import { truncated } from "../../render/width.js"
import type { KeyHelp, KeyPress } from "../frame/key-reader.js"
import {
  countText,
  type ListWindow,
  listFrame,
  listHeight,
  moveByKey,
  resizeWindow,
  selectRow,
  windowOf,
} from "../frame/list-frame.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { editField, fieldWith, LEAVE, type TextField } from "../frame/text-field.js"

interface MessagesState<Message extends ListedMessage> {
  readonly query: TextField
  readonly shown: readonly Message[]
  readonly window: ListWindow
}

/** Finds one of the messages of a session. The last one is selected at first. */
export class MessagePicker<Message extends ListedMessage> extends Picker<MessagesState<Message>, Message> {
  readonly #messages: readonly Message[]
  readonly #look: PickerDisplay
  readonly #folded: readonly string[]

  constructor(messages: readonly Message[], look: PickerDisplay) {
    const window = selectRow(windowOf(1), messages.length - 1, messages.length)
    super({ query: fieldWith(""), shown: messages, window })
    this.#messages = messages
    this.#look = look
    this.#folded = messages.map(({ text, entryId }) => foldText(`${text}\n${entryId}`))
  }

  readonly keys = KEYS_IN_WORDS

  get isBlank(): boolean {
    return this.state.query.text === ""
  }

  frame(size: Size): Frame {
    const { style } = this.#look
    const { glyphs } = style
    const { query, shown, window } = this.state
    const selected = shown[window.selected]
    const count = `messages of the user: ${countText(shown.length, this.#messages.length)}`
    return listFrame(
      {
        prompt: "> ",
        field: query,
        status: style.paint("dim", truncated(count, size.columns, glyphs.ellipsis)),
        window,
        count: shown.length,
        row: (index, room, isSelected) => {
          const { text = "", isActive = false } = shown[index] ?? {}
          // Messages can be long: only what can fit is cleaned.
          const clean = cleanLine(text.slice(0, 8 * room)) || "(no text)"
          const line = truncated(clean, Math.max(0, room - 2), glyphs.ellipsis)
          const mark = style.paint(isActive ? "cyan" : "dim", isActive ? glyphs.on : glyphs.off)
          return `${mark} ${isSelected ? style.paint("bold", line) : line}`
        },
        nothing: "No message found.",
        details: [selected ? [timeOf(selected.timestamp), cleanLine(selected.entryId)].filter(Boolean).join("  ") : ""],
        keys: KEYS,
      },
      style,
      size,
    )
  }

  press(key: KeyPress): void {
    const { window, shown } = this.state
    if (key.kind === "key") {
      const moved = moveByKey(window, key.name, shown.length)
      if (moved) this.change({ ...this.state, window: moved })
      else if (LEAVE.has(key.name) || key.name === "ctrl-d") this.end(undefined)
      else if (key.name === "enter") this.#accept()
      else this.#write(key)
    } else this.#write(key)
  }

  resize({ rows }: Size): void {
    const { window, shown } = this.state
    this.change({ ...this.state, window: resizeWindow(window, listHeight(rows, DETAILS), shown.length) })
  }

  #accept(): void {
    const message = this.state.shown[this.state.window.selected]
    if (message) this.end(message)
  }

  /** What stays selected is in sight. */
  #write(key: KeyPress): void {
    const { query, shown, window } = this.state
    const written = editField(query, key)
    if (!written) return
    const terms = plainTerms(written.text)
    const found = this.#messages.filter((_, at) => containsTerms(this.#folded[at] ?? "", terms))
    const selected = shown[window.selected]
    const place = selected ? found.indexOf(selected) : -1
    const at = place === -1 ? found.length - 1 : place
    this.change({ query: written, shown: found, window: selectRow(window, at, found.length) })
  }
}

/** A message in the list. */
export interface ListedMessage {
  readonly entryId: string
  readonly text: string
  readonly timestamp: string
  /** Whether it is on the current branch. */
  readonly isActive: boolean
}

/** Lines about the selected message. */
const DETAILS = 1

const KEYS = ["Enter forks before it", "Esc cancels", "? keys", "type to search", "^U clears"]

const KEYS_IN_WORDS: readonly KeyHelp[] = [
  ["Enter", "fork before this message"],
  ["Esc, Ctrl-C", "leave without a fork"],
  ["Ctrl-U", "clear the search"],
]
