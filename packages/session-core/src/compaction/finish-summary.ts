import type { Usage } from "../entry/message.js"
import { splitFileLists, withFileLists } from "./file-lists-text.js"
import { type FileLists, joinFileLists } from "./file-operations.js"

/** A summary that is ready to be stored. */
export interface FinishedSummary {
  /** With its lists of files behind. */
  readonly summary: string
  readonly files: FileLists
  readonly usage?: Usage
}

/**
 * Puts the parts of a summary together, and its lists of files behind. Lists that a part ends in, because whoever wrote it had
 * them before the eyes, are joined with those, so that nothing stands there twice.
 * @returns undefined when no part says anything
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
