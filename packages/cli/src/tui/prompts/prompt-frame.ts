import type { Prompt } from "@treelog/session-core/prompt-history"
import { ageOf, cleanLine, folderLine, numberText, timeAt } from "@treelog-internal/text"
import { padded, truncated, widthOf } from "../../render/width.js"
import type { KeyHelp } from "../frame/key-reader.js"
import { choiceLine, listFrame, splitRow } from "../frame/list-frame.js"
import type { Frame, Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { type PromptAnswer, type PromptState, SCOPES } from "./prompt-state.js"

/** Lines about the selected prompt. */
export const DETAILS = 1

/** From this width on, this share of it is for folders. */
const WIDE = 50
const RIGHT = 0.3
const FOLDER = 28

const KEYS = ["Enter prints", "Esc leaves", "? keys", "Tab changes the scope", "Ctrl-U clears"]

export const KEYS_IN_WORDS: readonly KeyHelp[] = [
  ["Enter", "print the prompt"],
  ["Esc, Ctrl-C", "leave without choosing"],
  ["Tab, Shift-Tab", "next, previous scope"],
  ["Ctrl-U", "clear the search"],
]

/** The frame. No line is wider than the screen. */
export function promptFrame(state: PromptState, look: PickerDisplay, size: Size): Frame {
  const { answer, window } = state
  const { style } = look
  return listFrame(
    {
      prompt: "> ",
      field: state.field,
      status: choiceLine(SCOPES, state.wanted.scope, [countOf(state)], style, size.columns),
      window,
      count: answer.prompts.length,
      row: rowsOf(state, look),
      nothing: cleanLine(answer.notice ?? "No prompt found."),
      details: [detailOf(state, look)],
      keys: KEYS,
    },
    style,
    size,
  )
}

function countOf({ answer }: PromptState): string {
  const { length } = answer.prompts
  return `${numberText(length)}${length === answer.request.limit ? "+" : ""}`
}

function rowsOf({ answer, window }: PromptState, look: PickerDisplay) {
  const { style, now } = look
  const { ellipsis } = style.glyphs
  const { top, height } = window
  const ageWidth = Math.max(
    0,
    ...answer.prompts.slice(top, top + height).map(({ createdAt }) => widthOf(ageOf(createdAt, now))),
  )
  return (index: number, room: number, isSelected: boolean): string => {
    const prompt = answer.prompts[index]
    const age = `${padded(ageOf(prompt?.createdAt ?? 0, now), ageWidth, "right")}  `
    const left = Math.max(0, room - widthOf(age))
    // Prompts can be long: only what can fit is cleaned.
    const line = cleanLine(prompt?.text.slice(0, 8 * room))
    const { text, right } = splitRow(line, folderText(prompt, answer, look, left), left, ellipsis)
    return `${style.paint("dim", age)}${isSelected ? style.paint("bold", text) : text}${style.paint("dim", right)}`
  }
}

/** Where a prompt was given, where that can be anywhere. */
function folderText(
  prompt: Prompt | undefined,
  { request }: PromptAnswer,
  { style, home }: PickerDisplay,
  room: number,
): string {
  const { scope } = request
  if (prompt?.cwd === undefined || room < WIDE || scope === "cwd" || scope === "session") return ""
  return truncated(folderLine(prompt.cwd, home), Math.min(Math.floor(room * RIGHT), FOLDER), style.glyphs.ellipsis)
}

/** When and where the selected prompt was given. */
function detailOf({ answer, window }: PromptState, { home }: PickerDisplay): string {
  const prompt = answer.prompts[window.selected]
  return prompt ? `${timeAt(prompt.createdAt)}  ${folderLine(prompt.cwd ?? "", home)}` : ""
}
