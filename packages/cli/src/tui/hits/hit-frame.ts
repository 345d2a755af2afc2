import type { Snippet } from "@treelog/session-core/search"
import { ageOf, cleanLine, cleanText, folderLine, numberText, type Style, timeAt } from "@treelog-internal/text"
import { sayer } from "../../render/hit-lines.js"
import { fromFirstMatch, snippetText } from "../../render/snippet-text.js"
import { padded, truncated, widthOf } from "../../render/width.js"
import type { KeyHelp } from "../frame/key-reader.js"
import { choiceLine, listFrame, listHeight } from "../frame/list-frame.js"
import type { Frame, Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { type FoundHit, HIT_SCOPES, type HitState } from "./hit-state.js"

/** Share of the rows for the preview. */
const PREVIEW = 0.4
/** Share of the width for titles. */
const SHARE = 0.3
/** Columns of a title, at most. */
const TITLE = 32
const KEYS = ["Enter go on from here", "^O read", "^L go on at its end", "Esc leave", "? keys", "Tab scope"]

export const KEYS_IN_WORDS: readonly KeyHelp[] = [
  ["Enter", "go on from this entry, in a copy of its branch"],
  ["Ctrl-L", "go on at the end of its session"],
  ["Ctrl-O", "read the session from there on"],
  ["Esc, Ctrl-C", "leave without choosing"],
  ["Tab", "this project, or all"],
  ["role:user since:30d", "filters, as for `treelog search`"],
  ["Ctrl-U", "clear the search"],
]

/** Lines of the preview on a screen of so many rows: what is known of the message, and a part of it. */
export function previewHeight(rows: number): number {
  return Math.max(1, Math.floor(rows * PREVIEW))
}

export function hitsHeight(rows: number): number {
  return listHeight(rows, previewHeight(rows))
}

/** The frame. No line is wider than the screen. */
export function hitFrame(state: HitState, look: PickerDisplay, size: Size): Frame {
  const { answer, window, wanted, progress } = state
  const { style } = look
  const count = `${numberText(answer.hits.length)}${answer.isMore ? "+" : ""}`
  return listFrame(
    {
      prompt: "> ",
      field: state.field,
      status: choiceLine(HIT_SCOPES, wanted.scope, [count, progress], style, size.columns),
      window,
      count: answer.hits.length,
      row: rowsOf(state, look),
      nothing: cleanLine(answer.notice ?? (progress === "" ? "Nothing was found." : "Nothing so far.")),
      details: previewLines(answer.hits[window.selected], look, size),
      keys: KEYS,
    },
    style,
    size,
  )
}

function rowsOf({ answer, window }: HitState, { style, now }: PickerDisplay) {
  const { ellipsis } = style.glyphs
  const inSight = answer.hits.slice(window.top, window.top + window.height)
  const ageWidth = Math.max(0, ...inSight.map(({ hit }) => widthOf(ageOf(hit.time, now))))
  return (index: number, room: number, isSelected: boolean): string => {
    const found = answer.hits[index]
    if (!found) return ""
    const age = padded(ageOf(found.hit.time, now), ageWidth, "right")
    const titleWidth = Math.min(TITLE, Math.max(0, Math.floor((room - ageWidth) * SHARE)))
    // Titles can be long: only what can fit is cleaned.
    const title = padded(truncated(cleanLine(found.title.slice(0, TITLE * 8)), titleWidth, ellipsis), titleWidth)
    const left = room - ageWidth - titleWidth - 4
    if (left <= 0) return style.paint("dim", truncated(age, room, ellipsis))
    return `${style.paint("dim", age)}  ${isSelected ? style.paint("bold", title) : title}  ${snippetText(fromFirstMatch(found.hit.snippet), style, left)}`
  }
}

/** Who said it, when, where, and more of the text. */
function previewLines(found: FoundHit | undefined, { style, home }: PickerDisplay, { columns, rows }: Size): string[] {
  const height = previewHeight(rows)
  const lines = found ? [factsOf(found, style.glyphs.dot, home), ...textLines(found.hit.snippet, style, columns)] : []
  return [...lines, ...Array<string>(height).fill("")].slice(0, height)
}

function factsOf({ session, hit }: FoundHit, dot: string, home: string | undefined): string {
  const facts = [
    hit.time === 0 ? "" : timeAt(hit.time),
    sayer(hit),
    hit.model ?? "",
    session.id,
    folderLine(session.cwd, home),
  ]
  return facts.map(cleanLine).filter(Boolean).join(` ${dot} `)
}

function textLines({ text, isCutBefore, isCutAfter }: Snippet, { glyphs, wrap }: Style, columns: number): string[] {
  const { ellipsis } = glyphs
  return wrap(`${isCutBefore ? ellipsis : ""}${cleanText(text)}${isCutAfter ? ellipsis : ""}`, columns)
}
