import { foldPrompt, matchesTerms, promptTerms } from "@treelog/session-core/prompt-history"
import type { Frame, Size } from "../frame/frame.js"
import type { KeyPress } from "../frame/key-press.js"
import { listHeight } from "../frame/list-frame.js"
import { type ListWindow, moveByKey, resizeWindow, selectRow, windowOf } from "../frame/list-window.js"
import { Picker } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/picker-environment.js"
import { editField, fieldWith, type TextField } from "../frame/text-field.js"
import { DETAILS, KEYS_IN_WORDS, type ListedMessage, messageFrame } from "./message-frame.js"

export interface MessagesState<Message extends ListedMessage> {
  readonly query: TextField
  readonly shown: readonly Message[]
  readonly window: ListWindow
}

const LEAVE: ReadonlySet<string> = new Set(["escape", "ctrl-c", "ctrl-d", "ctrl-g"])

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
    this.#folded = messages.map(({ text, entryId }) => foldPrompt(`${text}\n${entryId}`))
  }

  readonly keys = KEYS_IN_WORDS

  get isBlank(): boolean {
    return this.state.query.text === ""
  }

  frame(size: Size): Frame {
    return messageFrame({ ...this.state, total: this.#messages.length }, this.#look, size)
  }

  press(key: KeyPress): void {
    const { window, shown } = this.state
    if (key.kind === "key") {
      const moved = moveByKey(window, key.name, shown.length)
      if (moved) this.change({ ...this.state, window: moved })
      else if (LEAVE.has(key.name)) this.end(undefined)
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
    const terms = promptTerms(written.text)
    const found = this.#messages.filter((_, at) => matchesTerms(this.#folded[at] ?? "", terms))
    const selected = shown[window.selected]
    const place = selected ? found.indexOf(selected) : -1
    const at = place === -1 ? found.length - 1 : place
    this.change({ query: written, shown: found, window: selectRow(window, at, found.length) })
  }
}
