import type { Prompt } from "@treelog/session-core/prompt-history"
import type { KeyPress } from "../frame/key-reader.js"
import { listHeight } from "../frame/list-frame.js"
import { LiveSearch } from "../frame/live-search.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { LEAVE } from "../frame/text-field.js"
import { DETAILS, KEYS_IN_WORDS, promptFrame } from "./prompt-frame.js"
import {
  initialState,
  type PromptAnswer,
  type PromptRequest,
  type PromptState,
  press,
  resize,
  take,
} from "./prompt-state.js"

/** Finds prompts as you type. */
export class PromptPicker extends Picker<PromptState, Prompt> {
  readonly #look: PickerDisplay
  readonly #search: LiveSearch<PromptRequest, PromptAnswer>

  /** @param answer what is shown first */
  constructor(answer: PromptAnswer, find: (request: PromptRequest) => Promise<PromptAnswer>, look: PickerDisplay) {
    super(initialState(answer))
    this.#look = look
    this.#search = new LiveSearch(find)
  }

  readonly keys = KEYS_IN_WORDS

  get isBlank(): boolean {
    return this.state.field.text === ""
  }

  frame(size: Size): Frame {
    return promptFrame(this.state, this.#look, size)
  }

  press(key: KeyPress): void {
    if (key.kind === "key" && (LEAVE.has(key.name) || key.name === "ctrl-d")) this.end(undefined)
    else this.#become(press(this.state, key))
  }

  resize({ rows }: Size): void {
    this.#become(resize(this.state, listHeight(rows, DETAILS)))
  }

  #become(next: PromptState): void {
    const { wanted } = this.state
    this.change(next)
    if (next.picked) this.end(next.picked)
    else if (next.wanted !== wanted) this.#ask(next.wanted)
  }

  #ask(wanted: PromptRequest): void {
    this.#search.ask(wanted, (answer) => this.#become(take(this.state, answer))).catch((error) => this.fail(error))
  }
}
