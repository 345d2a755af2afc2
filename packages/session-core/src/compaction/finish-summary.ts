import type { Usage } from "../entry/message.js"
import { splitFileLists, withFileLists } from "./file-lists-text.js"
import { type FileLists, joinFileLists } from "./file-operations.js"

/** A summary that is ready to be stored. */
export interface FinishedSummary {
  /** The text, with its lists of files appended. */
  readonly summary: string
  readonly files: FileLists
  readonly usage?: Usage
}

/**
 * Joins the parts of a summary and appends its lists of files. A summarizer that has seen such lists may have copied them to the
 * end of a part: those are merged into the appended lists.
 * @returns undefined when all parts are empty
 */
export function finishSummary(
  parts: readonly string[],
  known: FileLists,
  usage: Usage | undefined,
): FinishedSummary | undefined {
  const split = parts.map(splitFileLists)
  const summary = split.flatMap((part) => part.summary.trim() || []).join("\n\n---\n\n")
  if (summary === "") return undefined
  const files = joinFileLists(known, ...split)
  return { summary: withFileLists(summary, files), files, ...(usage && { usage }) }
}
