import type { KeyPress } from "../frame/key-reader.js"
import { LiveSearch } from "../frame/live-search.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { LEAVE } from "../frame/text-field.js"
import { hitFrame, hitsHeight, KEYS_IN_WORDS } from "./hit-frame.js"
import {
  type HitAnswer,
  type HitRequest,
  type HitScope,
  type HitState,
  hitState,
  indexedMore,
  type PickedHit,
  pressHitKey,
  resizeHits,
  takeHits,
} from "./hit-state.js"

/** Finds what was said as you type, while the index is brought up to date. */
export class HitPicker extends Picker<HitState, PickedHit> {
  readonly #look: PickerDisplay
  readonly #search: LiveSearch<HitRequest, HitAnswer>

  constructor(scope: HitScope, find: (request: HitRequest) => Promise<HitAnswer>, look: PickerDisplay) {
    super(hitState("", scope))
    this.#look = look
    this.#search = new LiveSearch(find)
    // A search can fail before the screen is loaded, which reports it.
    this.outcome.catch(() => {})
    this.#ask(this.state.wanted)
  }

  readonly keys = KEYS_IN_WORDS

  get isBlank(): boolean {
    return this.state.field.text === ""
  }

  frame(size: Size): Frame {
    return hitFrame(this.state, this.#look, size)
  }

  press(key: KeyPress): void {
    if (key.kind === "key" && (LEAVE.has(key.name) || key.name === "ctrl-d")) this.end(undefined)
    else this.#become(pressHitKey(this.state, key))
  }

  resize({ rows }: Size): void {
    this.#become(resizeHits(this.state, hitsHeight(rows)))
  }

  /** More can be found now. @param progress how far the index is; empty when it is up to date */
  indexed(progress: string): void {
    if (!this.hasEnded) this.#become(indexedMore(this.state, progress))
  }

  /** The index cannot be brought up to date. */
  failed(error: unknown): void {
    this.fail(error)
  }

  #become(next: HitState): void {
    const { wanted } = this.state
    this.change(next)
    if (next.picked) this.end(next.picked)
    else if (next.wanted !== wanted) this.#ask(next.wanted)
  }

  #ask(wanted: HitRequest): void {
    this.#search.ask(wanted, (answer) => this.#become(takeHits(this.state, answer))).catch((error) => this.fail(error))
  }
}
