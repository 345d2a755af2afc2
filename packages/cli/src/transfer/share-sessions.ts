import { exportSession, findSecretsInBytes, findSessionSecrets, type SessionExport } from "@treelog/export"
import * as redaction from "@treelog/secrets"
import type { Session, SessionSource } from "@treelog/session-core"
import { usagesOf } from "@treelog/session-core/search"
import { agentTranscripts, callRates, exportPage, type SessionSharing, type SharedSecret } from "@treelog/viewer"
import type { CommandContext } from "../io/command-context.js"
import { openPrices } from "../sessions/prices.js"
import { blobsOf, readOnlyManager, type Sessions } from "../store/command-sessions.js"

/** What the viewer's button for sharing does: the same as `treelog export --format html`, and `treelog scan` before it. */
export function sharingOf(context: Pick<CommandContext, "io">, sessions: Sessions): SessionSharing {
  return {
    findSecrets: (key) => findSecrets(sessions, key),
    page: (key) => page(context, sessions, key),
  }
}

async function* findSecrets(sessions: Sessions, key: string): AsyncGenerator<SharedSecret> {
  const blobs = await blobsOf(sessions, key)?.read()
  const { storage } = sessions
  yield* findSessionSecrets(storage, key, { redaction, blobs })
  for await (const { id, chunks } of agentTranscripts(storage, key))
    for await (const secret of findSecretsInBytes(chunks, id, { redaction, blobs })) yield { ...secret, agent: id }
}

async function* page(context: Pick<CommandContext, "io">, sessions: Sessions, key: string): AsyncGenerator<string> {
  const blobs = await blobsOf(sessions, key)?.read()
  const { storage } = sessions
  const session = await (await readOnlyManager(sessions, key)).open(key, { access: "read" })
  try {
    const exported = exportSession(session, { format: "jsonl", storage, blobs, redaction })
    yield* sessionPage(context, session, exported, { storage, key })
  } finally {
    await session.close()
  }
}

/**
 * One HTML file: the viewer, with the exported lines of the session in it.
 * @param session the exported one
 * @param agents where the transcripts of its sub-agents are; undefined leaves them out
 */
export async function* sessionPage(
  { io }: Pick<CommandContext, "io">,
  session: Session,
  exported: SessionExport,
  agents: { readonly storage: SessionSource; readonly key: string } | undefined,
): AsyncGenerator<string> {
  const { at } = await openPrices(io)
  const { name, sessionId } = exported.head()
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
