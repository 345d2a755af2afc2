import { closeSync, openSync, writeSync } from "node:fs"
import { Author } from "./author.js"
import { formatHeader } from "./format-header.js"
import { type SessionShape, wholeShape } from "./session-shape.js"
import { turns } from "./turns.js"

/**
 * The lines of a session such as the style's program writes it, each with its line end. Equal shapes give equal bytes.
 * It is made as it is read, so that a session of any size can go to a file. Its last turn may be unfinished, as in a session
 * that is being written.
 */
export function* generateSession(shape: SessionShape): Generator<string, void> {
  const author = new Author(wholeShape(shape))
  yield* formatHeader(author.random, author.shape)
  if (author.shape.entries === 0) return
  for (const line of turns(author)) {
    yield line
    if (author.count >= author.shape.entries) return
  }
}

const BATCH_CHARS = 1024 * 1024

/** Writes lines, which carry their line ends, to a new file; a few of them are in memory at a time. Returns the bytes written. */
export function writeLines(path: string, lines: Iterable<string>): number {
  const file = openSync(path, "wx")
  let bytes = 0
  let batch = ""
  const write = (): void => {
    const encoded = Buffer.from(batch)
    for (let from = 0; from < encoded.length; ) from += writeSync(file, encoded, from)
    bytes += encoded.length
    batch = ""
  }
  try {
    for (const line of lines) {
      batch += line
      if (batch.length >= BATCH_CHARS) write()
    }
    write()
  } finally {
    closeSync(file)
  }
  return bytes
}
