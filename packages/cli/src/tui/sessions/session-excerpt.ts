import { foldPrompt } from "@treelog/session-core/prompt-history"
import { cleanLine } from "@treelog-internal/text"
import { type SessionRow, titleOf } from "./session-row.js"

/** UTF-16 units before what was found. */
const BEFORE = 10

/**
 * The part of a session's text in which a query was found, where its title does not show it.
 * @returns clean text in one line; empty when the title shows the match, or there is no query
 */
export function excerptOf({ info, prompts }: SessionRow, terms: readonly string[], length: number): string {
  const title = foldPrompt(titleOf(info).slice(0, length))
  const missing = terms.filter((term) => !title.includes(term))
  if (missing.length === 0) return ""
  const texts = [info.firstMessage, ...(prompts?.texts ?? [])]
  const folded = [foldPrompt(info.firstMessage), ...(prompts?.folded ?? [])]
  const counts = folded.map((text) => missing.filter((term) => text.includes(term)).length)
  const most = Math.max(...counts)
  if (most === 0) return ""
  return around(cleanLine(texts[counts.indexOf(most)]), missing, length)
}

/** Folding changes lengths: where it did, the place is about the same part of the text. */
function around(text: string, terms: readonly string[], length: number): string {
  const folded = foldPrompt(text)
  const found = Math.min(...terms.map((term) => folded.indexOf(term)).filter((at) => at !== -1))
  // What was cleaned away may be what was found.
  const place = Number.isFinite(found) ? Math.round((found / Math.max(1, folded.length)) * text.length) : 0
  const start = Math.max(0, place - BEFORE)
  return text.slice(start, start + length)
}
