import type { SessionInfo } from "@treelog/session-core"
import { cleanLine, folderLine, numberText, plural, sizeText, timeAt } from "@treelog-internal/text"
import { statusText } from "../../render/session-table.js"
import { headOf } from "../../render/width.js"
import type { KeyHelp } from "../frame/key-reader.js"
import { choiceLine, countText, listFrame, listHeight } from "../frame/list-frame.js"
import type { Frame, Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { sessionLine } from "./session-line.js"
import { titleOf } from "./session-row.js"
import { isLooking, type SessionsState, selectedRow } from "./sessions-state.js"

const KEYS = [
  "Enter pick",
  "Esc leave",
  "? keys",
  "Tab scope",
  "^S sort",
  "^N named",
  "^R name",
  "^D trash",
  "^P paths",
]
/** Lines that a path gets, where paths are shown. */
const PATH_LINES = 3

export const KEYS_IN_WORDS: readonly KeyHelp[] = [
  ["Enter", "choose the session"],
  ["Esc, Ctrl-C", "leave without choosing"],
  ["Tab", "sessions of this project, or all"],
  ["Ctrl-S", "next sort order"],
  ["Ctrl-N", "only sessions with a name"],
  ["Ctrl-R", "name the session; an empty text removes the name"],
  ["Ctrl-D", "move the session to the trash"],
  ["Ctrl-P", "show its path"],
  ["Ctrl-U", "clear the search"],
]

/** Rows for sessions on a screen of so many. */
export function sessionsHeight({ view }: SessionsState, rows: number): number {
  return listHeight(rows, 1 + (view.paths ? PATH_LINES : 0))
}

/** The frame. No line is wider than the screen. */
export function sessionsFrame(state: SessionsState, look: PickerDisplay, size: Size): Frame {
  const { style } = look
  const { mode, view, window, shown, terms, progress } = state
  const notice = state.notice ?? (terms.length > 0 ? progress.unindexed : undefined)
  const info = selectedRow(state)?.info
  return listFrame(
    {
      ...writing(state),
      status: choiceLine(["project", "all"], view.scope, statusOf(state), style, size.columns),
      window,
      count: shown.length,
      row: sessionLine(state, look),
      nothing: nothingFound(state, look),
      details: detailsOf(info, state, look, size.columns),
      notice: notice === undefined ? undefined : cleanLine(notice),
      keys: mode.kind === "rename" ? ["Enter saves", "an empty text removes the name", "Esc cancels"] : KEYS,
    },
    style,
    size,
  )
}

function writing({ mode, query }: SessionsState): { prompt: string; field: SessionsState["query"] | undefined } {
  switch (mode.kind) {
    case "browse":
      return { prompt: "> ", field: query }
    case "rename":
      return { prompt: "Name: ", field: mode.field }
    case "delete":
      return { prompt: `Move to the trash? y/N  ${cleanLine(titleOf(mode.info).slice(0, 200))}`, field: undefined }
    case "busy":
      return { prompt: `${mode.doing} ...`, field: undefined }
  }
}

function statusOf({ view, shown, total, progress }: SessionsState): string[] {
  const { isListing, isSearching, indexing = "", unreadable = 0 } = progress
  const count = countText(shown.length, total)
  const failed = unreadable > 0 ? `${numberText(unreadable)} unreadable` : ""
  const counted = isListing || isSearching ? `${count} ...` : count
  return [`by ${view.sort}`, view.named ? "named only" : "", counted, indexing, failed]
}

function nothingFound(state: SessionsState, { home }: PickerDisplay): string {
  const { view, terms, progress, cwd } = state
  if (terms.length > 0) return isLooking(state) ? "None so far." : "No session found."
  if (progress.isListing) return "Searching for sessions ..."
  const what = view.named ? "session with a name" : "session"
  return view.scope === "all"
    ? `There is no ${what}.`
    : `There is no ${what} of ${folderLine(cwd, home)}; Tab searches every folder.`
}

function detailsOf(
  info: SessionInfo | undefined,
  { view }: SessionsState,
  look: PickerDisplay,
  columns: number,
): string[] {
  const paths = view.paths ? pathLines(info ? cleanLine(info.path) : "", columns) : []
  if (!info) return ["", ...paths]
  const { id, modified, messageCount, size } = info
  const dot = ` ${look.style.glyphs.dot} `
  const facts = info.error
    ? [cleanLine(info.error.message)]
    : [
        timeAt(modified),
        messageCount === undefined ? "" : plural(messageCount, "message"),
        sizeText(size),
        statusText(info),
        cleanLine(id),
      ]
  return [facts.filter(Boolean).join(dot), ...paths]
}

/** A path whole, over several lines. */
function pathLines(path: string, columns: number): string[] {
  const lines = []
  let rest = path
  for (let line = 0; line < PATH_LINES; line++) {
    const piece = line === PATH_LINES - 1 ? rest : headOf(rest, columns)
    lines.push(piece)
    rest = rest.slice(piece.length)
  }
  return lines
}
