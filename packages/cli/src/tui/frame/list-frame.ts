import { cleanText, type Style } from "@treelog-internal/text"
import { headOf, tailOf, truncated, widthOf } from "../../render/width.js"
import type { KeyName } from "./key-reader.js"
import type { Frame, Size } from "./picker.js"
import type { TextField } from "./text-field.js"

/** What a screen with a list consists of, from top to bottom. */
export interface ListParts {
  /** Before the input text. */
  readonly prompt: string
  /** The input; undefined where the prompt is a question that a key answers. */
  readonly field: TextField | undefined
  /** The view and its counts. Painted, and no wider than the screen. */
  readonly status: string
  readonly window: ListWindow
  readonly count: number
  /** One row, painted, in so many columns. Called for the rows in sight only. */
  readonly row: (index: number, room: number, isSelected: boolean) => string
  /** Shown where there is no row. */
  readonly nothing: string
  /** Lines about the selected row. Painted, and no wider than the screen. */
  readonly preview: readonly string[]
  /** Shown instead of the keys, until the next key. */
  readonly notice?: string | undefined
  /** What the keys do, the most important first. */
  readonly keys: readonly string[]
}

const MARKER = "> "
const NO_MARKER = "  "
const GAP = "   "

/** Rows for the list on a screen of so many: what is written, the status, the preview and keys take the others, and the last stays free. */
export function listHeight(rows: number, preview: number): number {
  return Math.max(1, rows - 4 - preview)
}

/** The frame. No line is wider than the screen. */
export function listFrame(parts: ListParts, style: Style, { columns, rows }: Size): Frame {
  const { prompt, field, status, preview, keys, notice } = parts
  const { ellipsis } = style.glyphs
  const cut = (line: string): string => truncated(line, columns, ellipsis)
  const head = truncated(cleanText(prompt), Math.max(MARKER.length, Math.floor(columns / 2)), ellipsis)
  const written = writtenLine(field, columns - widthOf(head) - 1)
  const lines = [
    style.paint("cyan", field ? head : cut(cleanText(prompt))) + written.text,
    status,
    ...rowLines(parts, style, columns),
    ...preview,
    notice === undefined ? style.paint("dim", keysLine(keys, columns, ellipsis)) : style.paint("yellow", cut(notice)),
  ]
  return {
    lines: lines.slice(0, Math.max(1, rows - 1)),
    cursor: field ? widthOf(head) + written.cursor : undefined,
  }
}

/** The part of the text around the cursor. */
function writtenLine(field: TextField | undefined, width: number): { text: string; cursor: number } {
  if (!field) return { text: "", cursor: 0 }
  const shown = (text: string): string => cleanText(text).replace(/\s/g, " ")
  const before = tailOf(shown(field.text.slice(0, field.cursor)), Math.max(0, width))
  const cursor = widthOf(before)
  return { text: before + headOf(shown(field.text.slice(field.cursor)), Math.max(0, width - cursor)), cursor }
}

function rowLines({ window, count, row, nothing }: ListParts, style: Style, columns: number): string[] {
  const { top, height, selected } = window
  const room = Math.max(0, columns - MARKER.length)
  const lines = []
  for (let index = top; index < Math.min(count, top + height); index++) {
    const marker = index === selected ? style.paint("cyan", MARKER) : NO_MARKER
    lines.push(marker + row(index, room, index === selected))
  }
  if (lines.length === 0) lines.push(style.paint("dim", truncated(nothing, columns, style.glyphs.ellipsis)))
  while (lines.length < height) lines.push("")
  return lines
}

/** As many as fit. */
function keysLine(keys: readonly string[], columns: number, ellipsis: string): string {
  let line = truncated(keys[0] ?? "", columns, ellipsis)
  for (const key of keys.slice(1)) {
    const longer = `${line}  ${key}`
    if (widthOf(longer) > columns) return line
    line = longer
  }
  return line
}

/** All choices with the chosen one in brackets, and what follows; on a narrow screen the chosen one alone. */
export function choiceLine(
  names: readonly string[],
  chosen: string,
  more: readonly string[],
  style: Style,
  columns: number,
): string {
  const all = names.map((name) => (name === chosen ? `[${name}]` : ` ${name} `))
  const rest = more.filter((part) => part !== "")
  if (widthOf([all.join(" "), ...rest].join(GAP)) > columns)
    return truncated([`[${chosen}]`, ...rest].join(" "), columns, style.glyphs.ellipsis)
  const painted = all.map((name) => style.paint(name.startsWith("[") ? "bold" : "dim", name)).join(" ")
  return [painted, ...rest.map((part) => style.paint("dim", part))].join(GAP)
}

/** The visible part of a list. Its cost does not depend on the length of the list. */
export interface ListWindow {
  /** Index of the row that a key acts on; 0 in an empty list. */
  readonly selected: number
  /** Index of the first visible row. */
  readonly top: number
  /** Number of rows that fit. */
  readonly height: number
}

export function windowOf(height: number): ListWindow {
  return { selected: 0, top: 0, height }
}

/** The window with another row selected: the nearest existing one, kept visible. */
export function selectRow({ top, height }: ListWindow, index: number, count: number): ListWindow {
  const selected = Math.max(0, Math.min(index, count - 1))
  const lowest = Math.max(0, count - height)
  const inSight = Math.max(selected - height + 1, Math.min(top, selected))
  // A list that became shorter fills the window.
  return { selected, top: Math.min(inSight, lowest), height }
}

export function resizeWindow(window: ListWindow, height: number, count: number): ListWindow {
  return selectRow({ ...window, height }, window.selected, count)
}

const STEPS: Readonly<Partial<Record<KeyName, number>>> = {
  up: -1,
  down: 1,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
}
const PAGES: Readonly<Partial<Record<KeyName, number>>> = { "page-up": -1, "page-down": 1 }

/** The window after a key that moves in lists; undefined for another key. */
export function moveByKey(window: ListWindow, name: KeyName, count: number): ListWindow | undefined {
  const step = STEPS[name] ?? (PAGES[name] ?? 0) * window.height
  return step === 0 ? undefined : selectRow(window, window.selected + step, count)
}
