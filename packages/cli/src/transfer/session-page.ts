import type { SessionExport } from "@treelog/export"
import type { SessionStorage } from "@treelog/session-core"

/**
 * One HTML file: the viewer, with the exported lines of the session in it.
 * @param agents where the transcripts of its sub-agents are; undefined leaves them out
 */
export async function* sessionPage(
  exported: SessionExport,
  agents: { readonly storage: SessionStorage; readonly key: string } | undefined,
): AsyncGenerator<string> {
  const { agentTranscripts, exportPage } = await import("@treelog/viewer")
  const { name, sessionId } = await exported.head()
  const transcripts = agents ? agentTranscripts(agents.storage, agents.key) : []
  yield* exportPage({
    title: name || sessionId,
    fileName: `${sessionId}.jsonl`,
    session: exported,
    transcripts: redacted(exported, transcripts),
  })
}

interface Transcript {
  readonly id: string
  readonly chunks: AsyncIterable<Uint8Array>
}

async function* redacted(exported: SessionExport, transcripts: AsyncIterable<Transcript> | Iterable<Transcript>) {
  for await (const { id, chunks } of transcripts) yield { id, chunks: exported.transcript(chunks) }
}
