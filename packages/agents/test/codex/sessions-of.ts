import type { CodexSource } from "@treelog/agents/codex"
import type { ListFilter } from "@treelog/session-core/adapter"
import type { SourceSession } from "@treelog-internal/agent-files"

/** All that the source lists. */
export async function sessionsOf(source: CodexSource, filter?: ListFilter): Promise<SourceSession[]> {
  const all: SourceSession[] = []
  for await (const sessions of source.list(filter)) all.push(...sessions)
  return all
}

/** The text of a conversion. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk.slice())
  return Buffer.concat(parts).toString()
}
