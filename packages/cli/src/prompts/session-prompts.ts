import { isEntry, type SessionEntry, type SessionStorage } from "@treelog/session-core"
import { parseLine, splitLines, storedChunks, userText } from "@treelog/session-core/adapter"

/** Most often the first prompt is enough. Bytes. */
const BLOCK = 256 * 1024
/** What follows in a prompt is not searched, in UTF-16 units: it is a file or a log that was put in. */
const MAX_PROMPT = 20_000

/** A user message has this somewhere in its line, and few other lines do. */
const USER = Buffer.from('"user"')

/**
 * What the user messages of a stored session say, all branches, in the order of the file, as they are read. Parses little of it.
 * @throws StorageError, SessionChangedError, and the reason of the signal when it aborts
 */
export async function* promptsOf(storage: SessionStorage, key: string, signal: AbortSignal): AsyncGenerator<string> {
  const stat = await storage.stat(key)
  if (!stat) return
  const { size: to, identity } = stat
  for await (const line of splitLines(storedChunks(storage, key, { from: 0, to, identity, block: BLOCK }))) {
    signal.throwIfAborted()
    const { buffer, byteOffset, length } = line.bytes
    if (!Buffer.from(buffer, byteOffset, length).includes(USER)) continue
    for (const { value } of parseLine(line).records) {
      const text = promptIn(value)
      if (text !== "") yield text.slice(0, MAX_PROMPT)
    }
  }
}

function promptIn(value: unknown): string {
  const entry = value as SessionEntry
  if (!isEntry(entry, "message") || entry.message?.role !== "user") return ""
  return userText(entry.message).trim()
}
