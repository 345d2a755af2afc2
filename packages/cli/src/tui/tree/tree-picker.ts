import { cleanLine, costText, plural, speakerOf, TREE_FILTERS, type TreeFilter, timeOf } from "@treelog-internal/text"
import type { Look } from "../../render/table.js"
import { treeLine, type ViewNode } from "../../render/tree-lines.js"
import { fits, truncated } from "../../render/width.js"
import type { KeyHelp, KeyPress } from "../frame/key-reader.js"
import { choiceLine, listFrame, listHeight, resizeWindow } from "../frame/list-frame.js"
import { type Frame, Picker, type Size } from "../frame/picker.js"
import type { TextField } from "../frame/text-field.js"
import type { TreeData } from "./shown-rows.js"
import {
  type AsksSummary,
  BROWSE,
  changeTree,
  pressInTree,
  selectedNode,
  type TreeChoice,
  type TreeMode,
  type TreeState,
  treeState,
} from "./tree-press.js"

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
  readonly #look: Look
  readonly #work: TreeActions

  constructor(data: TreeData, filter: TreeFilter, look: Look, work: TreeActions) {
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

/** Lines about the selected entry. */
export const DETAILS = 1

const KEYS = [
  "Enter go",
  "Esc cancel",
  "? keys",
  "<- fold",
  "-> unfold",
  "L label",
  "^U user",
  "^O filter",
  "type to search",
]
const KEYS_OF_MODES: Readonly<Partial<Record<TreeMode["kind"], readonly string[]>>> = {
  label: ["Enter saves", "an empty text removes the label", "Esc cancels"],
  summary: ["y yes", "n no", "i yes, with instructions", "Esc back"],
  instructions: ["Enter summarizes", "Esc back"],
}

const KEYS_IN_WORDS: readonly KeyHelp[] = [
  ["Enter", "continue from this entry"],
  ["Esc, Ctrl-C", "leave without a change"],
  ["Left, Right", "fold and unfold a branch, or move in it"],
  ["L", "label the entry; an empty text removes the label"],
  ["Ctrl-U", "only user messages"],
  ["Ctrl-T", "hide tool calls and results"],
  ["Ctrl-L", "only labelled entries"],
  ["Ctrl-A", "everything"],
  ["Ctrl-D", "the default filter"],
  ["Ctrl-O", "the next filter"],
]

/** The frame. No line is wider than the screen. */
export function treeFrame(state: TreeState, { style }: Look, size: Size): Frame {
  const { mode, rows, window, filter, notice } = state
  const detail = detailOf(selectedNode(state), state.data.costOf)
  return listFrame(
    {
      ...writing(state),
      status: choiceLine(TREE_FILTERS, filter, [plural(rows.length, "entry", "entries")], style, size.columns),
      window,
      count: rows.length,
      row: rowsOf(state, style),
      nothing: state.query.text === "" ? "No entry matches this filter." : "No entry found.",
      preview: [style.paint("dim", truncated(detail, size.columns, style.glyphs.ellipsis))],
      notice: notice === undefined ? undefined : cleanLine(notice),
      keys: KEYS_OF_MODES[mode.kind] ?? KEYS,
    },
    style,
    size,
  )
}

function writing({ mode, query }: TreeState): { prompt: string; field: TextField | undefined } {
  switch (mode.kind) {
    case "browse":
      return { prompt: "> ", field: query }
    case "label":
      return { prompt: "Label: ", field: mode.field }
    case "summary":
      return { prompt: "Summarize the branch that you leave? y/N/i", field: undefined }
    case "instructions":
      return { prompt: "Focus on: ", field: mode.field }
    case "busy":
      return { prompt: `${mode.doing} ...`, field: undefined }
  }
}

function rowsOf({ rows, data, leaf, hidden }: TreeState, style: Look["style"]) {
  const { shortId, active } = data
  const remark = (node: ViewNode): string => (hidden.has(node) ? `  (+${hidden.get(node)})` : "")
  return (index: number, room: number): string => {
    const row = rows[index]
    if (!row) return ""
    const options = { shortId, active, leaf, remark }
    const line = treeLine(row, { ...options, style: { ...style, width: room } })
    const plain = treeLine(row, { ...options, style: { ...style, width: room, paint: (_, text) => text } })
    // On a narrow screen there is no room for what is never cut elsewhere.
    return fits(plain, room) ? line : truncated(plain, room, style.glyphs.ellipsis)
  }
}

function detailOf(node: ViewNode | undefined, costOf: TreeState["data"]["costOf"]): string {
  if (!node) return ""
  const { id, timestamp } = node.entry
  const cost = costOf(node.entry)
  return [timeOf(timestamp), cleanLine(id), speakerOf(node.entry), cost && costText(cost)].filter(Boolean).join("  ")
}
