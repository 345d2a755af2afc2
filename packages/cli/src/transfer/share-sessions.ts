import { exportSession, findSecretsInBytes, findSessionSecrets } from "@treelog/export"
import { agentTranscripts, type SessionSharing, type SharedSecret } from "@treelog/viewer"
import { blobsOf, readOnlyManager } from "../blobs/session-blobs.js"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/command-sessions.js"
import { sessionPage } from "./session-page.js"

/** What the viewer's button for sharing does: the same as `treelog export --format html`, and `treelog scan` before it. */
export function sharingOf(context: Pick<CommandContext, "io">, sessions: Sessions): SessionSharing {
  return {
    findSecrets: (key) => findSecrets(sessions, key),
    page: (key) => page(context, sessions, key),
  }
}

async function* findSecrets(sessions: Sessions, key: string): AsyncGenerator<SharedSecret> {
  const redaction = await import("@treelog/secrets")
  const blobs = await blobsOf(sessions, key)?.open("read")
  const { storage } = sessions
  yield* findSessionSecrets(storage, key, { redaction, blobs })
  for await (const { id, chunks } of agentTranscripts(storage, key))
    for await (const secret of findSecretsInBytes(chunks, id, { redaction, blobs })) yield { ...secret, agent: id }
}

async function* page(context: Pick<CommandContext, "io">, sessions: Sessions, key: string): AsyncGenerator<string> {
  const redaction = await import("@treelog/secrets")
  const blobs = await blobsOf(sessions, key)?.open("read")
  const { storage } = sessions
  const session = await (await readOnlyManager(sessions, key)).open(key, { access: "read" })
  try {
    const exported = exportSession(session, { format: "jsonl", storage, blobs, redaction })
    yield* sessionPage(context, session, exported, { storage, key })
  } finally {
    await session.close()
  }
}
