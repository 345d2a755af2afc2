import type { SearchHit } from "@treelog/session-core/search"
import { cleanText, type Style } from "@treelog-internal/text"
import { truncated, widthOf } from "./width.js"

type Snippet = SearchHit["snippet"]

/** UTF-16 units before the first match where a row begins there. */
const BEFORE = 12

/** The part of a snippet from shortly before its first match. */
export function fromFirstMatch(snippet: Snippet): Snippet {
  const [first] = snippet.matches
  const near = Math.max(0, (first?.[0] ?? 0) - BEFORE)
  const space = snippet.text.slice(near, first?.[0] ?? 0).search(/\s\S/u)
  // A space, or else not between the halves of a character.
  const isHalf = /[\uDC00-\uDFFF]/.test(snippet.text[near] ?? "")
  const from = near === 0 ? 0 : space === -1 ? near + Number(isHalf) : near + space + 1
  if (from === 0) return snippet
  return {
    text: snippet.text.slice(from),
    matches: snippet.matches.map(([begin, end]) => [begin - from, end - from] as const),
    isCutBefore: true,
    isCutAfter: snippet.isCutAfter,
  }
}

/** A snippet in one line, with what matched in it highlighted. @param room columns; undefined where nothing is cut */
export function snippetText(snippet: Snippet, style: Style, room: number | undefined): string {
  const { ellipsis } = style.glyphs
  let line = ""
  let left = room ?? Number.POSITIVE_INFINITY
  for (const { text, isMatch } of piecesOf(snippet, ellipsis)) {
    if (left <= 0) break
    const clean = cleanText(text).replace(/\s/gu, " ")
    const cut = truncated(clean, Number.isFinite(left) ? left : undefined, ellipsis)
    line += isMatch ? style.paint(["bold", "yellow"], cut) : cut
    left -= widthOf(cut)
    if (cut !== clean) break
  }
  return line
}

interface Piece {
  readonly text: string
  readonly isMatch: boolean
}

function piecesOf({ text, matches, isCutBefore, isCutAfter }: Snippet, ellipsis: string): Piece[] {
  const pieces: Piece[] = [{ text: isCutBefore ? ellipsis : "", isMatch: false }]
  let end = 0
  for (const [from, to] of matches) {
    pieces.push({ text: text.slice(end, from), isMatch: false }, { text: text.slice(from, to), isMatch: true })
    end = to
  }
  pieces.push({ text: text.slice(end), isMatch: false }, { text: isCutAfter ? ellipsis : "", isMatch: false })
  return pieces.filter((piece) => piece.text !== "")
}
