import type { Message, Session } from "@treelog/session-core"
import { SessionManager, TreelogError } from "@treelog/session-core"
import { assistantMessage, testClock, testIds, toolResultMessage, userMessage } from "@treelog-internal/test-kit"
import { RecordingStorage } from "./recording-storage.js"
import { base64Of, image } from "./samples.js"
import { SpyBlobStore } from "./spy-blob-store.js"

export const IMAGES = [0, 1, 2, 3].map((seed) => base64Of(900, seed))
export const LONG = `${"a line\n".repeat(72_000)}end`
export const HASH = /blob:sha256:([0-9a-f]{64})/g

/** A manager over spies that note puts and lines into one list, and a storage that says what is stored. */
export function workbench() {
  const events: string[] = []
  const blobs = new SpyBlobStore(events)
  const storage = new RecordingStorage((line) => events.push(`line ${line}`))
  const manager = new SessionManager({ storage, blobs, clock: testClock(), ids: testIds() })
  return { events, blobs, storage, manager }
}

export function withImage(data: string | undefined, text = "look"): Message {
  return userMessage(text, { content: [{ type: "text", text }, image(data ?? "")] })
}

export function keyOf(session: Session): string {
  return session.getSessionFile() ?? ""
}

export function diskFull(): TreelogError {
  return new TreelogError("StorageError", "No space left.", { key: "blobs", operation: "put", errno: "ENOSPC" })
}

/** Four images, one long text with a line count, and one answer. */
export async function illustrated(manager: SessionManager): Promise<Session> {
  const session = await manager.create("/project")
  session.appendMessage(withImage(IMAGES[0]))
  session.appendMessage(assistantMessage("an answer"))
  session.appendMessage(
    toolResultMessage("short", { content: [image(IMAGES[1] ?? "")], details: { content: LONG, lineCount: 72_001 } }),
  )
  session.appendCustomMessageEntry("x", [image(IMAGES[2] ?? "")], true, {
    images: [{ data: IMAGES[3], mimeType: "image/png" }],
  })
  await session.flush()
  return session
}
