import { contentText, type SessionSource } from "@treelog/session-core"
import { LineSplitter, parseLine, textStart } from "@treelog/session-core/adapter"
import type { AgentTranscript } from "../../wire.js"

/** The longest start of a prompt that is sent. UTF-16 units. */
const MOST_OF_PROMPT = 500
/** How far a transcript is searched for its prompt. Bytes. */
export const MOST_BEFORE_PROMPT = 4 << 20

/** Ids are in addresses, where `.` and `..` cannot be written. */
const NAME = /(?:^|\/)(?!\.{1,2}\.jsonl$)([^/]+)\.jsonl$/

/**
 * The transcripts of sub-agents among the artifacts of a session, for `exportPage`. Each is valid until the next one is requested.
 * @throws errors of the storage; SessionNotFoundError
 */
export async function* agentTranscripts(
  storage: Pick<SessionSource, "artifacts">,
  key: string,
): AsyncGenerator<{ readonly id: string; readonly chunks: AsyncIterable<Uint8Array> }> {
  const seen = new Set<string>()
  for await (const { name, chunks } of storage.artifacts(key)) {
    const id = NAME.exec(name)?.[1]
    if (id === undefined || !chunks || seen.has(id)) continue
    seen.add(id)
    yield { id, chunks }
  }
}

/** Lists the transcripts with their prompts. Artifacts that are not sessions are left out. */
export async function listTranscripts(
  storage: Pick<SessionSource, "artifacts">,
  key: string,
): Promise<AgentTranscript[]> {
  const found: AgentTranscript[] = []
  for await (const { id, chunks } of agentTranscripts(storage, key)) {
    const prompt = await promptOf(chunks)
    if (prompt !== undefined) found.push({ id, prompt })
  }
  return found
}

/** The bytes of one transcript; none if it does not exist. Each chunk is valid until the next one is requested. */
export async function* transcriptBytes(
  storage: Pick<SessionSource, "artifacts">,
  key: string,
  wanted: string,
): AsyncGenerator<Uint8Array> {
  // The storage may close its files when this ends: the chunks are read within.
  for await (const { id, chunks } of agentTranscripts(storage, key)) if (id === wanted) return yield* chunks
}

/** The start of what the first message of a user says; undefined where the bytes do not begin with a session's header. */
export async function promptOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string | undefined> {
  const splitter = new LineSplitter()
  let isSession = false
  let size = 0
  for await (const chunk of chunks) {
    for (const line of splitter.push(new Uint8Array(chunk)))
      for (const { value } of parseLine(line).records) {
        // Some programs write a line with the title before the header.
        if (!isSession && value.type === "title") continue
        if (!isSession && value.type !== "session") return undefined
        isSession = true
        const prompt = askedIn(value)
        if (prompt !== undefined) return textStart(prompt, MOST_OF_PROMPT)
      }
    size += chunk.length
    if (size > MOST_BEFORE_PROMPT) break
  }
  return isSession ? "" : undefined
}

function askedIn({ type, message }: { readonly type?: unknown; readonly message?: unknown }): string | undefined {
  if (type !== "message" || typeof message !== "object" || message === null) return undefined
  const { role, content } = message as { role?: unknown; content?: unknown }
  return role === "user" ? contentText(content) : undefined
}
