import type { SearchHit } from "@treelog/session-core/search"
import { ageOf, cleanLine, cleanText, folderLine, numberText, type Style, timeAt } from "@treelog-internal/text"
import { fromFirstMatch, snippetText } from "../../render/snippet-text.js"
import type { Look } from "../../render/table.js"
import { padded, truncated, widthOf } from "../../render/width.js"
import type { KeyHelp } from "../frame/key-reader.js"
import { choiceLine, listFrame, listHeight } from "../frame/list-frame.js"
import type { Frame, Size } from "../frame/picker.js"
import { type FinderState, selectedRow } from "./finder-state.js"
import { FINDER_VIEWS, type FinderView, type Found, type Preview, type PreviewPart } from "./found.js"
import { READER_KEYS } from "./reader.js"

type Snippet = SearchHit["snippet"]

/** Share of the rows for the preview. */
const PREVIEW = 0.4
/** Share of the width for the folder, and its columns at most. */
const [FOLDER_SHARE, FOLDER] = [0.3, 28]
/** Share of the text for a title beside an excerpt, and columns of an excerpt, at least. */
const [TITLE_SHARE, EXCERPT] = [0.4, 12]
/** Share of a row for its title and excerpt, at least; what is beside them goes in this order. */
const TEXT_SHARE = 0.5
const GIVE_WAY = ["cost", "folder", "agent"] as const
/** Texts can be long: only what can fit is cleaned. */
const UNITS_PER_COLUMN = 8
/** Lines for the question before a hit, and as many for the answer behind it: this share of the preview. */
const AROUND = 0.25

const ENTER: Readonly<Record<FinderView, string>> = {
  sessions: "Enter go on",
  hits: "Enter go on from here",
  prompts: "Enter choose",
}
const KEYS = ["^O read", "Tab next list", "Esc leave", "? keys", "^P copy id", "^X delete", "^R name"]

export const KEYS_IN_WORDS: readonly KeyHelp[] = [
  ["Enter", "go on; from a hit in a copy of its branch; print a prompt"],
  ["Ctrl-L", "of a hit: go on at the end of its session"],
  ["Ctrl-O", "read the session at what was found"],
  ["Tab", "sessions, hits (what was said), prompts (what you typed)"],
  ["Shift-Tab", "this project, or all"],
  ["Ctrl-P", "copy the id of the session"],
  ["Ctrl-X, Ctrl-Z", "move the session to the trash, undo that"],
  ["Ctrl-R", "name the session; an empty text removes the name"],
  ["Esc, Ctrl-C", "leave without choosing"],
  ["Ctrl-U", "clear the search"],
  ["role:user since:30d", "filters of hits, as for `treelog search`"],
  ...READER_KEYS,
]

function previewHeight(rows: number): number {
  return Math.max(1, Math.floor(rows * PREVIEW))
}

export function rowsHeight(rows: number): number {
  return listHeight(rows, previewHeight(rows))
}

/** The frame. No line is wider than the screen. */
export function finderFrame<Source>(state: FinderState<Source>, look: Look, size: Size): Frame {
  const { answer, window, wanted, naming } = state
  const scope = wanted.scope === "all" ? "all folders" : "this project"
  return listFrame(
    {
      prompt: naming ? "Name: " : "> ",
      field: naming?.field ?? state.field,
      status: choiceLine(
        FINDER_VIEWS,
        wanted.view,
        [scope, countOf(state), state.progress || state.note],
        look.style,
        size.columns,
      ),
      window,
      count: answer.rows.length,
      row: rowsOf(state, look),
      nothing: nothingFound(state),
      preview: previewLines(state, look, size),
      notice: state.notice === undefined ? undefined : cleanLine(state.notice),
      keys: naming ? ["Enter saves", "an empty text removes the name", "Esc cancels"] : [ENTER[wanted.view], ...KEYS],
    },
    look.style,
    size,
  )
}

function countOf<Source>({ answer: { rows, isMore, total }, wanted }: FinderState<Source>): string {
  if (total === undefined) return `${numberText(rows.length)}${isMore ? "+" : ""}`
  if (wanted.query === "") return numberText(total)
  return `${numberText(rows.length)}${isMore ? "+" : ""} of ${numberText(total)}`
}

function nothingFound<Source>({ answer, progress, wanted }: FinderState<Source>): string {
  if (answer.notice !== undefined) return cleanLine(answer.notice)
  if (progress !== "" || answer.request.view !== wanted.view || answer.isMore) return "Nothing so far."
  return wanted.scope === "all" ? "Nothing was found." : "Nothing was found in this project; Shift-Tab searches all."
}

function rowsOf<Source>({ answer, window }: FinderState<Source>, { style, now, home }: Look) {
  const { ellipsis } = style.glyphs
  const inSight = answer.rows.slice(window.top, window.top + window.height)
  const widest = (text: (row: Found<Source>) => string): number =>
    Math.max(0, ...inSight.map((row) => widthOf(text(row))))
  const ageText = ({ time }: Found<Source>): string => (time === 0 ? "" : ageOf(time, now))
  const agentText = ({ agent = "" }: Found<Source>): string => cleanLine(agent)
  const costText = ({ cost = "" }: Found<Source>): string => cost
  const [ages, costs, agents] = [widest(ageText), widest(costText), widest(agentText)]
  const folders = Math.min(
    FOLDER,
    widest(({ cwd, project = cwd }) => folderLine(project, home)),
  )
  return (index: number, room: number, isSelected: boolean): string => {
    const row = answer.rows[index]
    if (!row) return ""
    const age = `${padded(ageText(row), ages, "right")}  `
    if (widthOf(age) > room) return style.paint("dim", truncated(age, room, ellipsis))
    const folder = Math.min(folders, Math.floor(room * FOLDER_SHARE))
    const parts = {
      cost: padded(costText(row), costs, "right"),
      agent: padded(agentText(row), agents),
      folder: padded(truncated(folderLine(row.project ?? row.cwd, home), folder, ellipsis), folder),
    }
    const textOf = (): string =>
      Object.values(parts)
        .flatMap((part) => (part === "" ? [] : `  ${part}`))
        .join("")
    for (const part of GIVE_WAY) if (widthOf(age + textOf()) > room * (1 - TEXT_SHARE)) parts[part] = ""
    const facts = textOf()
    const left = Math.max(0, room - widthOf(age) - widthOf(facts))
    return `${style.paint("dim", age)}${padded(rowText(row, left, isSelected, style), left)}${style.paint("dim", facts.trimEnd())}`
  }
}

/** The title, and behind it what was found. */
function rowText(row: Found<unknown>, room: number, isSelected: boolean, style: Style): string {
  const { ellipsis } = style.glyphs
  const paint = row.error !== undefined ? "red" : isSelected || row.isNamed ? "bold" : undefined
  const painted = (text: string): string => (paint ? style.paint(paint, text) : text)
  const title = cleanLine((row.error ?? row.title).slice(0, UNITS_PER_COLUMN * room))
  const short = truncated(title, Math.floor(room * TITLE_SHARE), ellipsis)
  const beside = room - widthOf(short) - 2
  if (!row.snippet || beside < EXCERPT) return painted(truncated(title, room, ellipsis))
  return `${painted(short)}  ${snippetText(fromFirstMatch(row.snippet), style, beside)}`
}

/** What is known of the row; the question before what was found, more of that, and the answer behind it. */
function previewLines<Source>(state: FinderState<Source>, { style, home }: Look, size: Size): string[] {
  const height = previewHeight(size.rows)
  const found = selectedRow(state)
  const blank = Array<string>(height).fill("")
  if (!found) return blank
  const facts = [found.time === 0 ? "" : timeAt(found.time), ...found.facts, folderLine(found.cwd, home)]
  const head = facts.map(cleanLine).filter(Boolean).join(` ${style.glyphs.dot} `)
  const { before, hit, after } =
    (state.preview?.key.startsWith(`${found.key}\0`) && state.preview.shown) || ({} as Preview)
  const around = Math.max(1, Math.floor((height - 2) * AROUND))
  const partLines = (part: PreviewPart | undefined, most: number): string[] =>
    part
      ? wrapped(`${part.who}: ${part.text.slice(0, UNITS_PER_COLUMN * size.columns * most)}`, style, size.columns, most)
      : []
  const asked = partLines(before, hit ? around : 2 * around)
  const answered = partLines(after, hit ? around : height)
  const snippet = hit?.snippet ?? found.snippet
  const room = height - 1 - asked.length - (snippet ? answered.length : 0)
  const said = snippet ? hitLines(hit?.who ?? "", snippet, style, size.columns, room) : []
  const dim = (lines: readonly string[]): string[] => lines.map((line) => style.paint("dim", line))
  const lines = [style.paint("dim", truncated(head, size.columns, style.glyphs.ellipsis)), ...dim(asked), ...said]
  return [...lines, ...dim(answered), ...blank].slice(0, height)
}

function wrapped(text: string, { wrap, glyphs }: Style, columns: number, most: number): string[] {
  const lines = wrap(cleanText(text).replace(/\s+/g, " "), columns)
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), truncated(`${lines[most - 1]}${glyphs.ellipsis}`, columns, glyphs.ellipsis)]
}

/** The text around what was found, with the matches in bold. */
function hitLines(who: string, snippet: Snippet, style: Style, columns: number, most: number): string[] {
  const { isCutBefore, isCutAfter, text, matches } = snippet
  const head = who === "" ? "" : `${who}: `
  const shown = { text: head + text, matches: matches.map(([a, b]) => [a + head.length, b + head.length] as const) }
  const lines: string[] = []
  let from = 0
  for (let line = 0; line < most && from < shown.text.length; line++) {
    const end = endOfLine(shown.text, from, columns)
    const own = shown.matches.filter(([a, b]) => a < end && b > from)
    const piece = {
      text: shown.text.slice(from, end),
      matches: own.map(([a, b]) => [Math.max(0, a - from), Math.min(end, b) - from] as const),
      isCutBefore: line === 0 && isCutBefore && head === "",
      isCutAfter: line === most - 1 && (isCutAfter || end < shown.text.length),
    }
    lines.push(snippetText(piece, style, columns))
    from = end
  }
  return lines
}

/** Where a line ends that begins there: at a space, where there is one. UTF-16 units. */
function endOfLine(text: string, from: number, columns: number): number {
  let [end, used, space] = [from, 0, 0]
  for (const sign of text.slice(from, from + UNITS_PER_COLUMN * columns)) {
    used += widthOf(cleanText(sign)) || 0
    if (used > columns && end > from) return space > from ? space : end
    end += sign.length
    if (/\s/u.test(sign)) space = end
  }
  return end
}
