import { rename, utimes } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { sweep } from "@treelog/blob-store"
import type { Clock } from "@treelog/session-core"
import { TEST_START } from "@treelog-internal/test-kit"
import { type AgentStore, PROJECT } from "./agent-store.js"
import { messagesWith } from "./sample-messages.js"

const DAY_MS = 86_400_000

/** A session in the trash of its folder, and a blob that a sweep took away. */
export async function writeTrash(
  { folder, sessions, storage, blobs, blobsFolder }: AgentStore,
  clock: Clock,
): Promise<void> {
  const session = await sessions.create(PROJECT)
  session.appendMessage(messagesWith(clock).user("Not wanted any more"))
  await session.close()
  const path = await storage.trash.put(session.getSessionFile() ?? "", { now: TEST_START + DAY_MS })
  // The time and a token name the folder; this token is the same in each run.
  const place = dirname(path)
  await rename(place, join(dirname(place), basename(place).replace(/[^_]+$/, "0123456789abcdef")))

  const hash = await blobs.put(new TextEncoder().encode("A blob that no session names."))
  const old = new Date(TEST_START - DAY_MS)
  await utimes(join(blobsFolder, hash), old, old)
  const roots = [join(folder, "sessions")]
  await sweep({ blobs: blobsFolder, roots, apply: true, graceMs: 60_000, clock: { now: () => TEST_START } })
}
