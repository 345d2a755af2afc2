import { isJsonObject, messageText, titleLine } from "../entry/values.js"
import { isTreelogError } from "../errors.js"
import { parseLine } from "../log/parse-line.js"
import { splitLines } from "../log/split-lines.js"
import type { IndexedSession } from "../ports/session-index.js"
import type { SessionSource } from "../ports/session-source.js"
import { isWritable } from "../ports/session-storage.js"
import { type SessionFacts, summaryIn } from "../session/listing/session-info.js"
import { statToRead, storedChunks } from "../session/reader/read-stored.js"

/** Most often the first prompt is in it. Bytes. */
const BLOCK = 32 * 1024
/** What follows in a prompt is a file or a log that was put in. UTF-16 units. */
const MAX_PROMPT = 20_000

/** What lists know of a session, where they know it. */
export async function listedInfo(storage: SessionSource, key: string): Promise<SessionFacts | undefined> {
  const { cached } = (await storage.summaries?.find(key)) ?? {}
  return cached?.isCurrent ? summaryIn(cached)?.info : undefined
}

/**
 * The title of a session: its name, or else the first that its user said, as `titleLine` has it: read from its beginning. Empty where it has neither, and where it cannot be
 * read.
 * @throws the reason of the signal when it aborts
 */
export async function sessionTitle(
  storage: SessionSource,
  { key, name }: Pick<IndexedSession, "key" | "name">,
  signal: AbortSignal,
): Promise<string> {
  const named = titleLine(name)
  if (named !== "") return named
  try {
    // Reading a session of another program means to convert it, or to compare all its bytes with a digest.
    const listed = isWritable(storage) ? undefined : await listedInfo(storage, key)
    return titleLine(listed?.name || listed?.firstMessage || (await firstPrompt(storage, key, signal)))
  } catch (error) {
    // It was deleted, replaced or damaged after it was found, which the update of the index reports.
    if (isTreelogError(error)) return ""
    throw error
  }
}

async function firstPrompt(storage: SessionSource, key: string, signal: AbortSignal): Promise<string> {
  const stat = await statToRead(storage, key)
  if (!stat) return ""
  const { size: to, identity } = stat
  for await (const line of splitLines(storedChunks(storage, key, { from: 0, to, identity, block: BLOCK }))) {
    signal.throwIfAborted()
    for (const { value } of parseLine(line).records) {
      const prompt = promptIn(value)
      if (prompt !== "") return prompt.slice(0, MAX_PROMPT)
    }
  }
  return ""
}

function promptIn(entry: unknown): string {
  const message = isJsonObject(entry) && entry.type === "message" ? entry.message : undefined
  return isJsonObject(message) && message.role === "user" ? messageText(message).trim() : ""
}
