import type { ExportPart } from "@treelog/export"
import { isTreelogError, MemorySessionStorage, type Session } from "@treelog/session-core"
import { managerWith, type Sessions } from "../store/command-sessions.js"

/** The transcripts of sub-agents among the artifacts of a session, opened one after another in memory. What is no transcript is left out. */
export async function* openedTranscripts(sessions: Sessions, key: string): AsyncGenerator<ExportPart> {
  for await (const { name, chunks } of sessions.storage.artifacts(key)) {
    const session = chunks && name.endsWith(".jsonl") ? await openedInMemory(sessions, chunks) : undefined
    if (!session) continue
    try {
      yield { name, session }
    } finally {
      await session.close()
    }
  }
}

const KEY = "memory:/transcript"

/** Undefined where the bytes are no session. */
async function openedInMemory(sessions: Sessions, chunks: AsyncIterable<Uint8Array>): Promise<Session | undefined> {
  const storage = new MemorySessionStorage()
  const lease = await storage.lease(KEY, { access: "exclusive", waitMs: 0 })
  await lease.create(chunks)
  await lease.release()
  try {
    return await (await managerWith({ ...sessions, storage }, undefined)).open(KEY, { access: "read" })
  } catch (error) {
    if (isTreelogError(error, "InvalidSessionError")) return undefined
    throw error
  }
}
