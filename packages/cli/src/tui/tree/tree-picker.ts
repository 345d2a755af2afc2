import type { TreeFilter } from "@treelog-internal/text"
import type { KeyPress } from "../frame/key-reader.js"
import { listHeight, resizeWindow } from "../frame/list-frame.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import type { TreeData } from "./shown-rows.js"
import { DETAILS, KEYS_IN_WORDS, treeFrame } from "./tree-frame.js"
import { type AsksSummary, pressInTree, type TreeChoice } from "./tree-press.js"
import { BROWSE, changeTree, type TreeState, treeState } from "./tree-state.js"

/** The actions of the picker on the session. */
export interface TreeActions {
  /**
   * Labels an entry, or removes its label when the text is empty. An error that it throws is shown, and the picker continues.
   * @returns the tree as it is then
   */
  label(entryId: string, text: string): Promise<TreeData>
  readonly asksSummary: AsksSummary
  /** A sentence about the error; undefined for an unexpected one. */
  faultOf(error: unknown): string | undefined
}

/** Walks through the tree of a session. */
export class TreePicker extends Picker<TreeState, TreeChoice> {
  readonly #look: PickerDisplay
  readonly #work: TreeActions

  constructor(data: TreeData, filter: TreeFilter, look: PickerDisplay, work: TreeActions) {
    super(treeState(data, filter))
    this.#look = look
    this.#work = work
  }

  readonly keys = KEYS_IN_WORDS

  get isBlank(): boolean {
    const { mode, query } = this.state
    return mode.kind === "browse" && query.text === ""
  }

  frame(size: Size): Frame {
    return treeFrame(this.state, this.#look, size)
  }

  press(key: KeyPress): void {
    const { state, task } = pressInTree(this.state, key, this.#work.asksSummary)
    this.change(state)
    if (task?.kind === "label") this.#label(task.entryId, task.text)
    else if (task) this.end(task.kind === "pick" ? task.choice : undefined)
  }

  resize({ rows }: Size): void {
    const { window, rows: nodes } = this.state
    this.change({ ...this.state, window: resizeWindow(window, listHeight(rows, DETAILS), nodes.length) })
  }

  #label(entryId: string, text: string): void {
    const labelled = async (): Promise<void> => {
      const data = await this.#work.label(entryId, text)
      const notice = text === "" ? "Label removed." : "Label saved."
      this.change({ ...changeTree(this.state, { data }), mode: BROWSE, notice })
    }
    labelled().catch((error) => {
      const notice = this.#work.faultOf(error)
      if (notice === undefined) this.fail(error)
      else this.change({ ...this.state, mode: BROWSE, notice })
    })
  }
}
