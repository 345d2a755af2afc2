import { closeSync, openSync, writeSync } from "node:fs"

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
