import { createRequire } from "node:module"

const ESCAPE = String.fromCharCode(0x1b)
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g")
const PRINTABLE_ASCII = /^[ -~]*$/

/** Cached widths of graphemes: screens measure the same ones repeatedly. */
const KNOWN = new Map<string, number>()
const MAX_KNOWN = 10_000

/** Columns that a text takes: two for CJK and emoji, none for colours. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length
  if (text.includes(ESCAPE)) {
    const uncoloured = text.replace(COLOURS, "")
    return uncoloured.includes(ESCAPE) ? stringWidth(text) : widthOf(uncoloured)
  }
  const plain = plainHead(text, Number.POSITIVE_INFINITY)
  if (plain) return plain.width
  let width = 0
  for (const { segment } of charactersOf(text)) width += characterWidth(segment)
  return width
}

function characterWidth(character: string): number {
  const known = KNOWN.get(character)
  if (known !== undefined) return known
  const width = quickWidth(character) ?? stringWidth(character)
  if (KNOWN.size < MAX_KNOWN) KNOWN.set(character, width)
  return width
}

/** Pads with spaces to a width. */
export function padded(text: string, width: number, align: "left" | "right" = "left"): string {
  const fill = " ".repeat(Math.max(0, width - widthOf(text)))
  return align === "left" ? text + fill : fill + text
}

/** The most code units that are measured for one column. */
const UNITS_PER_COLUMN = 4

/** Whether a text fits. Reads no more of a long one than needed. */
export function fits(text: string, width: number): boolean {
  if (text.length * 2 <= width) return true
  return text.length <= width * UNITS_PER_COLUMN && headOf(text, width).length === text.length
}

/** Cuts a text without colours to a width; what was cut ends with the ellipsis. */
export function truncated(text: string, width: number | undefined, ellipsis: string): string {
  if (width === undefined || text.length * 2 <= width) return text
  const head = headOf(text, width)
  if (head.length === text.length) return text
  const room = width - widthOf(ellipsis)
  return room < 0 ? "" : headOf(head, room).trimEnd() + ellipsis
}

/** The longest end that fits, in whole graphemes. */
export function tailOf(text: string, width: number): string {
  let room = width
  let start = text.length
  const end = text.slice(-Math.max(1, width) * UNITS_PER_COLUMN)
  for (const { segment } of [...charactersOf(end)].reverse()) {
    room -= characterWidth(segment)
    if (room < 0) break
    start -= segment.length
  }
  return text.slice(start)
}

/** The longest beginning that fits, in whole graphemes. */
export function headOf(text: string, width: number): string {
  const start = text.slice(0, width * UNITS_PER_COLUMN)
  const plain = plainHead(start, width)
  if (plain) return start.slice(0, plain.end)
  let taken = 0
  let end = 0
  for (const { segment, index } of charactersOf(start)) {
    taken += characterWidth(segment)
    if (taken > width) return text.slice(0, end)
    end = index + segment.length
  }
  return text.slice(0, end)
}

/**
 * The longest beginning that fits, of a text whose code points are characters of their own; undefined where one of them may combine
 * with its neighbours. Most texts are so, and need no segmenter.
 */
function plainHead(text: string, most: number): { readonly end: number; readonly width: number } | undefined {
  let width = 0
  for (let end = 0; end < text.length; ) {
    const code = text.codePointAt(end) ?? 0
    const own = code >= 0x20 && code < 0x7f ? 1 : codePointWidth(code)
    if (own === undefined) return undefined
    if (width + own > most) return { end, width }
    width += own
    end += code > 0xffff ? 2 : 1
  }
  return { end: text.length, width }
}

/** By code point. Undefined is known, too. */
const WIDTHS = new Map<number, number | undefined>()

function codePointWidth(code: number): number | undefined {
  const known = WIDTHS.get(code)
  if (known !== undefined || WIDTHS.has(code)) return known
  const character = String.fromCodePoint(code)
  const width = JOINING.test(character) ? undefined : quickWidth(character)
  if (WIDTHS.size < MAX_KNOWN) WIDTHS.set(code, width)
  return width
}

/** Breaks a line into pieces that fit the width, at spaces where it can. The indentation is kept in every piece. */
export function wrapLine(line: string, width: number | undefined): string[] {
  if (width === undefined || fits(line, width)) return [line]
  const indent = /^ */.exec(line)?.[0] ?? ""
  // Deep indentation leaves no room for text; the terminal may break such a line as it likes.
  if (indent.length * 2 > width) return [line]
  const room = width - indent.length
  const pieces: string[] = []
  for (let rest = line.slice(indent.length); rest !== ""; ) {
    const piece = firstPiece(rest, room)
    pieces.push(indent + piece.trimEnd())
    rest = rest.slice(piece.length).trimStart()
  }
  return pieces
}

function firstPiece(text: string, room: number): string {
  const head = headOf(text, room) || text.slice(0, 2)
  if (head.length === text.length || text[head.length] === " ") return head
  const space = head.lastIndexOf(" ")
  return space > head.length / 3 ? head.slice(0, space + 1) : head
}

interface Character {
  readonly segment: string
  /** Where it begins. UTF-16 units. */
  readonly index: number
}

/** Scripts and signs that combine with their neighbours, though each alone has a width. */
const JOINING = /[\u0600-\u10ff]|\p{Emoji_Modifier}/u

let segmenter: Intl.Segmenter | undefined

export function charactersOf(text: string): Iterable<Character> {
  if (plainHead(text, Number.POSITIVE_INFINITY)) return codePointsOf(text)
  // It loads large tables.
  segmenter ??= new Intl.Segmenter()
  return segmenter.segment(text)
}

function* codePointsOf(text: string): Generator<Character> {
  let index = 0
  for (const segment of text) {
    yield { segment, index }
    index += segment.length
  }
}

const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u
const EMOJI = /^(?!\p{Regional_Indicator})\p{Emoji_Presentation}$/u
/** A sign that is shown as a picture because it was asked for: the heart, say. */
const AS_EMOJI = /^(?=\p{Emoji})\p{Extended_Pictographic}\ufe0f$/u
/** Among narrow ones. */
const WIDE_SIGNS = /[\u2329\u232a\u2630-\u2637\u268a-\u268f]/
const IDEOGRAPHS = /^[\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]$/

/**
 * Columns of a grapheme, for common characters; undefined where the tables of all scripts and emoji are needed.
 * Those take longer to load than most commands take to run, and nearly no text needs them.
 */
export function quickWidth(character: string): number | undefined {
  if (character.length === 1 && character >= " " && character <= "~") return 1
  if (AS_EMOJI.test(character)) return 2
  if (!VISIBLE.test(character)) return undefined
  if (IDEOGRAPHS.test(character) || EMOJI.test(character)) return 2
  const isOfNarrowScript = character < "\u1100" || (character >= "\u2010" && character < "\u2e80")
  return isOfNarrowScript && !WIDE_SIGNS.test(character) ? 1 : undefined
}

let fullWidth: ((text: string) => number) | undefined

/** Columns of any text, without its colours. */
export function stringWidth(text: string): number {
  fullWidth ??= loaded()
  return fullWidth(text)
}

function loaded(): (text: string) => number {
  const { default: width } = createRequire(import.meta.url)("string-width") as typeof import("string-width")
  return width
}
