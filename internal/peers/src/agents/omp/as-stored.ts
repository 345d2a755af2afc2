import { blocksOf, type Json } from "../model/blocks.js"

/** What omp puts before the first prompt of a request, and does not store. */
const REMINDER = /^<system-reminder>\nToday: /
/** Its words around a summary. */
const SUMMARY =
  /^(?:Prior model work\/tool state available\.\nMUST build on prior work; NEVER duplicate prior work\.|Branch-return summary:)\n\n<summary>\n([\s\S]*)\n<\/summary>$/

/** Its words before what the user says while it works. */
const INTERJECTION = /^<system-notice>\nUser interjection [^\n]*\n<\/system-notice>\n/

/**
 * A message that omp sent without what is only sent: the day, words around summaries and before what is said while it works, `_` before
 * names of tools. Files that a prompt names are in the tags that treelog sends them in.
 */
export function asStored({ role, content }: Json): Json {
  return { role, content: blocksOf(content).flatMap(storedBlock) }
}

function storedBlock({ text, name, ...block }: Json): Json[] {
  if (typeof text === "string") {
    if (REMINDER.test(text)) return []
    if (text.startsWith("<file path=")) return [{ ...block, text: `<system-reminder>\n${text}\n</system-reminder>` }]
    return [{ ...block, text: SUMMARY.exec(text)?.[1] ?? text.replace(INTERJECTION, "") }]
  }
  return [typeof name === "string" ? { ...block, name: name.replace(/^_/, "") } : block]
}
