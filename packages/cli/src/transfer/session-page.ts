import type { SessionExport } from "@treelog/export"
import type { Session, SessionStorage } from "@treelog/session-core"
import type { CommandContext } from "../io/command-context.js"
import { openPrices } from "../stats/prices.js"

/**
 * One HTML file: the viewer, with the exported lines of the session in it.
 * @param session the exported one
 * @param agents where the transcripts of its sub-agents are; undefined leaves them out
 */
export async function* sessionPage(
  { io }: Pick<CommandContext, "io">,
  session: Session,
  exported: SessionExport,
  agents: { readonly storage: SessionStorage; readonly key: string } | undefined,
): AsyncGenerator<string> {
  const { agentTranscripts, callRates, exportPage } = await import("@treelog/viewer")
  const { usagesOf } = await import("@treelog/session-core/search")
  const { at } = await openPrices(io)
  const { name, sessionId } = await exported.head()
  function* usages() {
    for (const entry of session.iterateEntries()) yield* usagesOf(entry)
  }
  const transcripts = agents ? agentTranscripts(agents.storage, agents.key) : []
  yield* exportPage({
    title: name || sessionId,
    fileName: `${sessionId}.jsonl`,
    session: exported,
    rates: callRates(at(), usages()),
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
