import type { SessionReader } from "@treelog/session-core"
import { formatLine } from "@treelog/session-core/adapter"
import type { SessionSource, SourceEvent } from "./session-source.js"

/** Lines that are read at once. UTF-16 units. */
const PIECE = 64 * 1024

/** A session that was opened with `readSession` of session-core. */
export function readerSource(reader: SessionReader): SessionSource {
  return { name: "Session", read: () => read(reader) }
}

/** @throws InvalidSessionError, StorageError */
async function* read(reader: SessionReader): AsyncGenerator<SourceEvent> {
  const utf8 = new TextEncoder()
  let text = formatLine((await reader.readOutline()).header)
  for await (const entry of reader.iterateEntries()) {
    text += formatLine(entry)
    if (text.length < PIECE) continue
    yield { kind: "bytes", bytes: utf8.encode(text) }
    text = ""
  }
  yield { kind: "bytes", bytes: utf8.encode(text) }
}
