import { foldText } from "@treelog/session-core/prompt-history"
import { ageOf, cleanLine, folderLine, type Style } from "@treelog-internal/text"
import { countText } from "../../render/session-table.js"
import { fromFirstMatch, snippetText } from "../../render/snippet-text.js"
import { padded, truncated, widthOf } from "../../render/width.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { type SessionRow, titleOf } from "./session-row.js"
import type { SessionsState } from "./sessions-state.js"

/** Share of the width for folders. */
const RIGHT = 0.4
const FOLDER = 28
/** Share of the rest for a title beside an excerpt. */
const TITLE = 0.35
/** Columns of an excerpt, at least. */
const EXCERPT = 12
/** Messages can be long: only what can fit is cleaned. */
const UNITS_PER_COLUMN = 8
const GAP = 2

/** Draws one session in so many columns: how old, how many messages, its title, what a query found in it, and where it belongs. */
export function sessionLine(state: SessionsState, look: PickerDisplay) {
  const { shown, window } = state
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
    if (widthOf(facts) > columns) return style.paint("dim", truncated(facts, columns, ellipsis))
    const room = columns - widthOf(facts)
    const place = folderText(row, state, look, room)
    const left = place === "" ? room : Math.max(0, room - widthOf(place) - GAP)
    const paint = info.error ? "red" : isSelected || info.name !== undefined ? "bold" : undefined
    const painted = (text: string): string => (paint ? style.paint(paint, text) : text)
    const title = titleText(row, left)
    const short = truncated(title, Math.floor(left * TITLE), ellipsis)
    const beside = left - widthOf(short) - GAP
    const excerpt = beside < EXCERPT ? "" : excerptOf(row, state, style, beside)
    const text =
      excerpt === "" ? painted(truncated(title, left, ellipsis)) : `${painted(short)}${" ".repeat(GAP)}${excerpt}`
    const right = place === "" ? "" : `${" ".repeat(GAP)}${style.paint("dim", place)}`
    return `${style.paint("dim", facts)}${right === "" ? text : padded(text, left)}${right}`
  }
}

function titleText({ info }: SessionRow, room: number): string {
  const most = UNITS_PER_COLUMN * room
  if (info.error) return cleanLine(info.error.message.slice(0, most).replaceAll(info.path, "the file"))
  return cleanLine(titleOf(info).slice(0, most))
}

function folderText(
  { info }: SessionRow,
  { view }: SessionsState,
  { style, home }: PickerDisplay,
  room: number,
): string {
  if (view.scope !== "all") return ""
  return truncated(folderLine(info.cwd, home), Math.min(Math.floor(room * RIGHT), FOLDER), style.glyphs.ellipsis)
}

/**
 * What the index found of a query, where the title does not show it.
 * @param room columns
 * @returns one line; empty when the title shows it, or there is no query
 */
export function excerptOf(
  { info }: SessionRow,
  { terms, said }: Pick<SessionsState, "terms" | "said">,
  style: Style,
  room: number,
): string {
  const title = foldText(titleOf(info).slice(0, UNITS_PER_COLUMN * room))
  for (const term of terms) {
    const snippet = title.includes(term) ? undefined : said.get(term)?.get(info.path)
    if (snippet) return snippetText(fromFirstMatch(snippet), style, room)
  }
  return ""
}
