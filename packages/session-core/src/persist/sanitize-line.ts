import { formatLine } from "../log/format-line.js"
import type { BlobStore } from "../ports/blob-store.js"
import { MAX_STRING_LENGTH } from "./long-text.js"
import { sanitizeEntry } from "./sanitize-entry.js"

/** What a line must hold, if anything in it is to be dropped or moved out. ScannedBatch for all at once: lines may be long, and are many. */
const SUSPECT = /"(?:image|partialJson"|jsonlEvents")/

/**
 * Sanitizes an entry that is a line already, as it was when it was appended: what its owner does to it later changes nothing.
 * Most lines hold nothing to look for: they are not parsed again, and given back at once.
 */
export function sanitizeLine(line: string, blobs: BlobStore | undefined): string | Promise<string> {
  return isPlainLine(line) ? line : sanitizeParsed(line, blobs)
}

/** Whether a line holds nothing to look for. */
export function isPlainLine(line: string): boolean {
  return line.length <= MAX_STRING_LENGTH && !SUSPECT.test(line)
}

async function sanitizeParsed(line: string, blobs: BlobStore | undefined): Promise<string> {
  const entry = JSON.parse(line) as object
  const sanitized = await sanitizeEntry(entry, blobs)
  return sanitized === entry ? line : formatLine(sanitized)
}
