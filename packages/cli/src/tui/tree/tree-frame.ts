import { cleanLine, costText, plural, speakerOf, TREE_FILTERS, timeOf } from "@treelog-internal/text"
import type { ViewNode } from "../../render/tree-lines.js"
import { treeLine } from "../../render/tree-lines.js"
import { fits, truncated } from "../../render/width.js"
import type { KeyHelp } from "../frame/key-reader.js"
import { choiceLine, listFrame } from "../frame/list-frame.js"
import type { Frame, Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import type { TextField } from "../frame/text-field.js"
import { selectedNode, type TreeMode, type TreeState } from "./tree-state.js"

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

export const KEYS_IN_WORDS: readonly KeyHelp[] = [
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
export function treeFrame(state: TreeState, { style }: PickerDisplay, size: Size): Frame {
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

function rowsOf({ rows, data, leaf, hidden }: TreeState, style: PickerDisplay["style"]) {
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
