import { formatLine } from "../log/format-line.js"
import type { BlobStore } from "../ports/blob-store.js"
import { MAX_STRING_LENGTH } from "./long-text.js"
import { sanitizeEntry } from "./sanitize-entry.js"

/** Matches every line in which something has to be dropped or moved. One pattern for all, since lines are long and many. */
const SUSPECT = /"(?:image|partialJson"|jsonlEvents")/

/**
 * Sanitizes an entry in the form of its line, so that changes to the object after the append have no effect. Most lines need no
 * change: they are not parsed, and returned synchronously.
 */
export function sanitizeLine(line: string, blobs: BlobStore | undefined): string | Promise<string> {
  return isPlainLine(line) ? line : sanitizeParsed(line, blobs)
}

/** Whether a line needs no change. */
export function isPlainLine(line: string): boolean {
  return line.length <= MAX_STRING_LENGTH && !SUSPECT.test(line)
}

async function sanitizeParsed(line: string, blobs: BlobStore | undefined): Promise<string> {
  const entry = JSON.parse(line) as object
  const sanitized = await sanitizeEntry(entry, blobs)
  return sanitized === entry ? line : formatLine(sanitized)
}
