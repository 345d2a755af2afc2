import { ageOf, cleanLine, numberText } from "@treelog-internal/text"
import { folderName } from "../../render/folder-name.js"
import { padded, truncated, widthOf } from "../../render/width.js"
import { splitRow } from "../frame/list-frame.js"
import type { PickerDisplay } from "../frame/picker-environment.js"
import { excerptOf } from "./session-excerpt.js"
import { type SessionRow, titleOf } from "./session-row.js"
import type { SessionsState } from "./sessions-state.js"

/** Of the room, for folders. */
const RIGHT = 0.4
const FOLDER = 28
/** Of what is left, for a title beside an excerpt. */
const TITLE = 0.35
/** More than fits is never cleaned: messages can be long. */
const UNITS_PER_COLUMN = 8

/** Draws one session in so many columns: how old, how many messages, its title, and where it belongs. */
export function sessionLine(state: SessionsState, look: PickerDisplay) {
  const { shown, window, terms } = state
  const { style, now } = look
  const { ellipsis } = style.glyphs
  const inSight = shown.slice(window.top, window.top + window.height)
  const ageWidth = Math.max(0, ...inSight.map(({ info }) => widthOf(ageOf(info.modified, now))))
  const countWidth = Math.max(0, ...inSight.map(({ info }) => numberText(info.messageCount).length))
  return (index: number, columns: number, isSelected: boolean): string => {
    const row = shown[index]
    if (!row) return ""
    const { info } = row
    const facts = `${padded(ageOf(info.modified, now), ageWidth, "right")}  ${padded(info.error ? "!" : numberText(info.messageCount), countWidth, "right")}  `
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
