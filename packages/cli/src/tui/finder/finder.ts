import type { Look } from "../../render/table.js"
import type { KeyHelp, KeyPress } from "../frame/key-reader.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import { finderFrame, KEYS_IN_WORDS, rowsHeight } from "./finder-frame.js"
import {
  askAgain,
  type FinderState,
  type FinderTask,
  type FinderWork,
  finderState,
  type Pressed,
  pressFinderKey,
  resizeRows,
  selectedRow,
  takeAnswer,
} from "./finder-state.js"
import type { FinderActions, FinderScope, FinderView, FindRequest, Found, Picked, Preview } from "./found.js"
import { Reader } from "./reader.js"

/** Milliseconds without a key before a preview is made: making it must delay no key. */
const STILL_MS = 60

export interface FinderStart {
  readonly view: FinderView
  readonly query: string
  readonly scope: FinderScope
}

/** Finds sessions, what was said in them, and prompts, as you type: whatever is there can be used, and more streams in. */
export class Finder<Source> extends Picker<FinderState<Source>, Picked<Source>> {
  readonly #look: Look
  readonly #actions: FinderActions<Source>
  readonly #search = liveSearch((request: FindRequest) => this.#actions.find(request))
  readonly #previews = liveSearch(async (found: Found<Source>) => ({
    found,
    shown: await this.#actions.preview(found),
  }))
  readonly #known = new Map<string, Preview>()
  #still: NodeJS.Timeout | undefined
  #reader: Reader | undefined
  #undo: (() => Promise<string>) | undefined
  #size: Size = { columns: 80, rows: 24 }

  constructor({ view, query, scope }: FinderStart, actions: FinderActions<Source>, look: Look) {
    super({ ...finderState<Source>(view, query, scope), progress: "listing" })
    this.#look = look
    this.#actions = actions
    // A search can fail before the screen is loaded, which reports it.
    this.outcome.catch(() => {})
    this.#ask(this.state.wanted)
  }

  readonly keys: readonly KeyHelp[] = KEYS_IN_WORDS

  get isBlank(): boolean {
    return this.state.field.text === "" && !this.state.naming && !this.#reader
  }

  frame(size: Size): Frame {
    return this.#reader ? this.#reader.frame(this.#look, size) : finderFrame(this.state, this.#look, size)
  }

  press(key: KeyPress): void {
    if (this.hasEnded) return
    const leaves = key.kind === "key" && key.name === "ctrl-c"
    if (!this.#reader || leaves) this.#take(pressFinderKey(this.state, key))
    else {
      if (!this.#reader.press(key)) this.#reader = undefined
      this.change({ ...this.state })
    }
  }

  resize(size: Size): void {
    this.#size = size
    this.#become(this.state)
  }

  /**
   * More can be found.
   * @param progress how far the lists and the index are; empty when they are complete
   * @param note what is to be said of them then
   */
  progressed(progress: string, note = ""): void {
    if (!this.hasEnded) this.#become(askAgain(this.state, { progress, note }))
  }

  /** What works in the background has failed. */
  failed(error: unknown): void {
    if (!this.hasEnded) this.#report(error)
  }

  #take({ state, task }: Pressed<Source>): void {
    this.#become(state)
    if (task) this.#carryOut(task)
  }

  #become(next: FinderState<Source>): void {
    const { wanted } = this.state
    this.change(resizeRows(next, rowsHeight(this.#size.rows)))
    if (this.hasEnded) return
    if (this.state.wanted !== wanted) this.#ask(this.state.wanted)
    clearTimeout(this.#still)
    const found = selectedRow(this.state)
    if (!found || this.state.preview?.key === previewKey(found)) return
    const known = this.#known.get(previewKey(found))
    if (known) this.#preview(found, known)
    else this.#still = setTimeout(() => this.#askPreview(found), STILL_MS)
  }

  #ask(wanted: FindRequest): void {
    this.#search(wanted, (answer) => this.#take(takeAnswer(this.state, answer))).catch((error) => this.#report(error))
  }

  #askPreview(found: Found<Source>): void {
    if (found.error !== undefined) return
    this.#previews(found, (made) => {
      this.#known.set(previewKey(made.found), made.shown)
      this.#preview(made.found, made.shown)
    }).catch((error) => this.#report(error))
  }

  #preview(found: Found<Source>, shown: Preview): void {
    const key = previewKey(found)
    const selected = selectedRow(this.state)
    if (selected && previewKey(selected) === key) this.change({ ...this.state, preview: { key, shown } })
  }

  #carryOut(task: FinderTask<Source>): void {
    if (task.kind === "leave") this.#end(undefined)
    else if (task.kind === "pick") this.#end(task.picked)
    else
      this.#work(task)
        .then((notice) => this.#become({ ...askAgain(this.state), notice }))
        .catch((error) => this.#report(error))
  }

  /** @returns a sentence that describes what was done */
  async #work(task: FinderWork<Source>): Promise<string | undefined> {
    switch (task.kind) {
      case "read":
        this.#reader = new Reader(await this.#actions.read(task.found, this.#size.columns))
        return undefined
      case "copy":
        if (task.found.id === undefined) return "It has no id."
        this.#actions.copy(task.found.id)
        return `Copied ${task.found.id}`
      case "rename":
        return this.#actions.rename(task.found, task.name)
      case "remove": {
        const { notice, undo } = await this.#actions.remove(task.found)
        this.#undo = undo
        return notice
      }
      case "undo": {
        const undo = this.#undo
        this.#undo = undefined
        return undo ? undo() : "There is nothing to undo."
      }
    }
  }

  #end(picked: Picked<Source> | undefined): void {
    clearTimeout(this.#still)
    this.end(picked)
  }

  #report(error: unknown): void {
    const notice = this.#actions.faultOf(error)
    if (notice === undefined) this.fail(error)
    else this.change({ ...this.state, notice })
  }
}

/** A query can find another text in the same session. */
function previewKey({ key, snippet }: Found<unknown>): string {
  return `${key}\0${snippet?.text ?? ""}`
}

/** Searches as you type: one search at a time, and after it only the newest of what was asked in the meantime. */
export function liveSearch<Request extends object, Answer>(find: (request: Request) => Promise<Answer>) {
  let next: Request | undefined
  let isBusy = false
  /**
   * @param show gets the answer, or nothing where something newer is asked
   * @throws what the search throws
   */
  return async (request: Request, show: (answer: Answer) => void): Promise<void> => {
    next = request
    if (isBusy) return
    isBusy = true
    try {
      while (next) {
        const asked: Request = next
        next = undefined
        const answer = await find(asked)
        if (!next) show(answer)
      }
    } finally {
      isBusy = false
    }
  }
}
