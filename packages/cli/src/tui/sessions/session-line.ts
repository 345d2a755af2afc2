import { foldText } from "@treelog/session-core/prompt-history"
import { ageOf, cleanLine } from "@treelog-internal/text"
import { countText } from "../../render/session-table.js"
import { folderName } from "../../render/titles.js"
import { padded, truncated, widthOf } from "../../render/width.js"
import { splitRow } from "../frame/list-frame.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { type SessionRow, titleOf } from "./session-row.js"
import type { SessionsState } from "./sessions-state.js"

/** Share of the width for folders. */
const RIGHT = 0.4
const FOLDER = 28
/** Share of the rest for a title beside an excerpt. */
const TITLE = 0.35
/** Messages can be long: only what can fit is cleaned. */
const UNITS_PER_COLUMN = 8

/** Draws one session in so many columns: how old, how many messages, its title, and where it belongs. */
export function sessionLine(state: SessionsState, look: PickerDisplay) {
  const { shown, window, terms } = state
  const { style, now } = look
  const { ellipsis } = style.glyphs
  const inSight = shown.slice(window.top, window.top + window.height)
  const ageWidth = Math.max(0, ...inSight.map(({ info }) => widthOf(ageOf(info.modified, now))))
  const countWidth = Math.max(0, ...inSight.map(({ info }) => countText(info).length))
  return (index: number, columns: number, isSelected: boolean): string => {
    const row = shown[index]
    if (!row) return ""
    const { info } = row
    const facts = `${padded(ageOf(info.modified, now), ageWidth, "right")}  ${padded(info.error ? "!" : countText(info), countWidth, "right")}  `
    const room = Math.max(0, columns - widthOf(facts))
    const place = placeOf(row, state, look, room)
    const { text: title, right } = splitRow(textOf(row, terms, room, ellipsis), place, room, ellipsis)
    const paint = info.error ? "red" : isSelected || info.name !== undefined ? "bold" : undefined
    const line = `${style.paint("dim", facts)}${paint ? style.paint(paint, title) : title}${style.paint("dim", right)}`
    return widthOf(facts) > columns ? style.paint("dim", truncated(facts, columns, ellipsis)) : line
  }
}

/** The title, and behind it what a query found elsewhere. */
function textOf(row: SessionRow, terms: readonly string[], room: number, ellipsis: string): string {
  const { info } = row
  const most = UNITS_PER_COLUMN * room
  if (info.error) return cleanLine(info.error.message.slice(0, most).replaceAll(info.path, "the file"))
  const title = cleanLine(titleOf(info).slice(0, most))
  const excerpt = terms.length === 0 ? "" : excerptOf(row, terms, most)
  if (excerpt === "") return title
  return `${truncated(title, Math.floor(room * TITLE), ellipsis)}  ${ellipsis} ${excerpt}`
}

function placeOf({ info }: SessionRow, { view }: SessionsState, { style, home }: PickerDisplay, room: number): string {
  if (view.scope !== "all") return ""
  return truncated(folderName(info.cwd, home), Math.min(Math.floor(room * RIGHT), FOLDER), style.glyphs.ellipsis)
}

/** UTF-16 units before what was found. */
const BEFORE = 10

/**
 * The part of a session's text in which a query was found, where its title does not show it.
 * @returns clean text in one line; empty when the title shows the match, or there is no query
 */
export function excerptOf({ info, prompts }: SessionRow, terms: readonly string[], length: number): string {
  const title = foldText(titleOf(info).slice(0, length))
  const missing = terms.filter((term) => !title.includes(term))
  if (missing.length === 0) return ""
  const texts = [info.firstMessage, ...(prompts?.texts ?? [])]
  const folded = [foldText(info.firstMessage), ...(prompts?.folded ?? [])]
  const counts = folded.map((text) => missing.filter((term) => text.includes(term)).length)
  const most = Math.max(...counts)
  if (most === 0) return ""
  return around(cleanLine(texts[counts.indexOf(most)]), missing, length)
}

/** Folding changes lengths: where it did, the place is about the same part of the text. */
function around(text: string, terms: readonly string[], length: number): string {
  const folded = foldText(text)
  const found = Math.min(...terms.map((term) => folded.indexOf(term)).filter((at) => at !== -1))
  // What was cleaned away may be what was found.
  const place = Number.isFinite(found) ? Math.round((found / Math.max(1, folded.length)) * text.length) : 0
  const start = Math.max(0, place - BEFORE)
  return text.slice(start, start + length)
}
