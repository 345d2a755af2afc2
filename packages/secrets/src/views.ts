/** A text as somebody would read it: as it stands, or without what writes its characters in another way. */
export interface View {
  readonly text: string
  /** Where a stretch `[start, end)` of the view stands in the text itself; escape sequences within it belong to it. */
  placed(start: number, end: number): { readonly start: number; readonly end: number }
}

/** Backslashes before an escape: one more for each text that this one stands in. */
const SLASHES = String.raw`\\{1,16}`

/** The escape character, raw or as programs and shells write it. */
const ESC = String.raw`(?:\x1b|\^\[(?=\[)|${SLASHES}(?:u001[bB]|x1[bB]|033|e(?=\[)|E(?=\[)))`

/** What a terminal obeys and does not show. Of a link or a title only the ends: what it says may be a secret. */
const TERMINAL = String.raw`(?:${ESC}\[|\x9b)[0-9:;<=>?]{0,64}[ -/]{0,4}[@-~]|${ESC}\]\d{1,4};(?:[^;\s]{0,80};)?|${ESC}\\{1,16}|\x1b[ -/]{0,4}[0-~]|\x07`

/** A character that is written by its number, with that number in a group by its base. */
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
/** Stands for a byte that is no character by itself. */
const NO_LETTER = "\ufffd"

/**
 * The views of a text in which secrets are looked for: as it stands; with its escapes decoded, at whatever depth; and, where a
 * terminal would obey something in it, with spaces in the place of that, since words on both sides need not be one.
 */
export function viewsOf(text: string): View[] {
  const views: View[] = [asItStands(text)]
  if (!HIDING.test(text)) return views
  const decoded = decodedView(text, "")
  views.push(decoded.view)
  if (decoded.hasTerminal) views.push(decodedView(text, " ").view)
  return views
}

/** Spaces stand for escaped white space, whose letter would count as the beginning of the word behind it. Nothing moves. */
function asItStands(text: string): View {
  const placed: View["placed"] = (start, end) => ({ start, end })
  if (!text.includes("\\")) return { text, placed }
  const blanked = text.replace(/\\{1,16}[nrtbfv/]/g, (found) => (found.endsWith("/") ? "/" : " ").repeat(found.length))
  return { text: blanked, placed }
}

/** @param instead what stands in the place of what a terminal obeys */
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

/** A piece of a view, and the stretch of the text that it is made of: as long as itself, or one escape for one character. */
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

  /** The last run that begins at or before an offset of the view. */
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
