/** A text as a reader sees it: unchanged, or with its escapes decoded. */
export interface View {
  readonly text: string
  /** The range in the original text of a range `[start, end)` of the view, including escape sequences within it. */
  placed(start: number, end: number): { readonly start: number; readonly end: number }
}

/** Backslashes before an escape: more for each level of nested strings. */
const SLASHES = String.raw`\\{1,16}`

/** The escape character, raw or as programs and shells write it. */
const ESC = String.raw`(?:\x1b|\^\[(?=\[)|${SLASHES}(?:u001[bB]|x1[bB]|033|e(?=\[)|E(?=\[)))`

/** Control sequences of terminals. Only the ends of links and titles, since their text may contain a secret. */
const TERMINAL = String.raw`(?:${ESC}\[|\x9b)[0-9:;<=>?]{0,64}[ -/]{0,4}[@-~]|${ESC}\]\d{1,4};(?:[^;\s]{0,80};)?|${ESC}\\{1,16}|\x1b[ -/]{0,4}[0-~]|\x07`

/** A character escaped by its number, with the number in a group by its base. */
const BY_NUMBER = [
  String.raw`${SLASHES}(?:u(?<u>[0-9A-Fa-f]{4})|u\{(?<point>[0-9A-Fa-f]{1,6})\}|x(?<x>[0-9A-Fa-f]{2})|(?<octal>[01][0-7]{2}))`,
  `%(?:25){0,4}(?<percent>[0-9A-Fa-f]{2})`,
  String.raw`&#(?:x(?<entityHex>[0-9A-Fa-f]{1,6})|(?<entity>\d{1,7}));`,
].join("|")

const BY_NAME = `&(?<name>quot|apos|amp|lt|gt|nbsp);|${SLASHES}(?<letter>[nrtbfv/"'\`])`

/** Only texts that hold one of these have more than one view. */
const HIDING = new RegExp(`${TERMINAL}|${BY_NUMBER}|&(?:quot|apos|amp|lt|gt|nbsp);`)
const ESCAPE = new RegExp(`(?<terminal>${TERMINAL})|${BY_NUMBER}|${BY_NAME}`, "g")

const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">", nbsp: " " }
const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: " ", f: " ", v: " " }
/** Replaces a byte that is not a character by itself. */
const NO_LETTER = "\ufffd"

/**
 * The views of a text to search for secrets: unchanged; with its escapes decoded, at any depth; and, if it has control sequences of
 * terminals, with spaces in their place, since the words on both sides may be separate.
 */
export function viewsOf(text: string): View[] {
  const views: View[] = [asItStands(text)]
  if (!HIDING.test(text)) return views
  const decoded = decodedView(text, "")
  views.push(decoded.view)
  if (decoded.hasTerminal) views.push(decodedView(text, " ").view)
  return views
}

/** The text with spaces for escaped white space, whose letter would count as part of the next word. Positions do not change. */
function asItStands(text: string): View {
  const placed: View["placed"] = (start, end) => ({ start, end })
  if (!text.includes("\\")) return { text, placed }
  const blanked = text.replace(/\\{1,16}[nrtbfv/]/g, (found) => (found.endsWith("/") ? "/" : " ").repeat(found.length))
  return { text: blanked, placed }
}

/** @param instead replaces control sequences of terminals */
function decodedView(text: string, instead: string): { view: View; hasTerminal: boolean } {
  const pieces: string[] = []
  const runs = new Runs()
  let [at, length, hasTerminal] = [0, 0, false]
  const take = (piece: string, from: number, to: number): void => {
    if (piece === "") return
    pieces.push(piece)
    runs.add({ view: length, length: piece.length, start: from, end: to })
    length += piece.length
  }
  for (const match of text.matchAll(ESCAPE)) {
    const groups = match.groups ?? {}
    const end = match.index + match[0].length
    take(text.slice(at, match.index), at, match.index)
    if (groups.terminal !== undefined) hasTerminal = true
    take(groups.terminal === undefined ? characterOf(groups) : instead, match.index, end)
    at = end
  }
  take(text.slice(at), at, text.length)
  return { view: { text: pieces.join(""), placed: (start, end) => runs.placed(start, end) }, hasTerminal }
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { u, point, x, octal, percent, entityHex, entity, name, letter } = groups
  if (name !== undefined) return NAMED[name] ?? NO_LETTER
  if (letter !== undefined) return LETTERS[letter] ?? letter
  if (u !== undefined) return String.fromCharCode(Number.parseInt(u, 16))
  const hex = point ?? x ?? percent ?? entityHex
  const code =
    hex === undefined ? Number.parseInt(octal ?? entity ?? "", octal === undefined ? 10 : 8) : Number.parseInt(hex, 16)
  return code < 0x80 ? String.fromCharCode(code) : NO_LETTER
}

/** A part of a view with its range in the text: of the same length, or one escape for one character. */
interface Run {
  readonly view: number
  readonly length: number
  readonly start: number
  readonly end: number
}

class Runs {
  readonly #runs: Run[] = []

  add(run: Run): void {
    this.#runs.push(run)
  }

  placed(start: number, end: number): { start: number; end: number } {
    const first = this.#at(start)
    const last = this.#at(end - 1)
    const isEscape = last.length !== last.end - last.start
    return { start: first.start + start - first.view, end: isEscape ? last.end : last.start + end - last.view }
  }

  /** The last run that starts at or before an offset of the view. */
  #at(offset: number): Run {
    let [low, high] = [0, this.#runs.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#runs[middle] as Run).view <= offset) low = middle
      else high = middle - 1
    }
    return this.#runs[low] as Run
  }
}
