import type { FileLists } from "./file-operations.js"

/** Appends lists of files to the text of a summary, for the model to read (FORMAT.md, section 9). */
export function withFileLists(summary: string, { readFiles, modifiedFiles }: FileLists): string {
  return [summary, ...tagged("read-files", readFiles), ...tagged("modified-files", modifiedFiles)].join("\n\n")
}

/** The reverse of `withFileLists`: splits a stored summary into its text and its lists of files. */
export function splitFileLists(stored: string): FileLists & { readonly summary: string } {
  const modified = takeTagged(stored, "modified-files")
  const read = takeTagged(modified.before, "read-files")
  return { summary: read.before, readFiles: read.lines, modifiedFiles: modified.lines }
}

function tagged(tag: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`<${tag}>\n${lines.join("\n")}\n</${tag}>`]
}

function takeTagged(stored: string, tag: string): { before: string; lines: string[] } {
  const text = stored.trimEnd()
  const [open, close] = [`<${tag}>\n`, `\n</${tag}>`]
  const from = text.endsWith(close) ? text.lastIndexOf(open) : -1
  if (from < 0) return { before: stored, lines: [] }
  const lines = text.slice(from + open.length, -close.length).split("\n")
  return { before: text.slice(0, from).trimEnd(), lines }
}
