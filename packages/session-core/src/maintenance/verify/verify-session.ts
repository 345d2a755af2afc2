import type { SessionSource } from "../../ports/session-source.js"
import { factoryOf } from "../../session/factory-of.js"
import { refText, type SessionRef } from "../../session/listing/resolve-ref.js"
import { loadWhole } from "../../session/reader/load-stored.js"
import { statToRead } from "../../session/reader/read-stored.js"
import { noSessionAt } from "../../session/session-errors.js"
import type { SessionManager } from "../../session/session-manager.js"
import { run } from "../../steps.js"
import { type Verification, verifyLoaded } from "./verify-log.js"

/**
 * Checks everything that can be wrong with a stored session, and changes nothing (FORMAT.md, sections 2 to 6).
 * @param cwd where `@last` and names look. Default: everywhere
 * @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError, StorageError: it could not be read
 */
export async function verifySession(
  sessions: SessionManager<SessionSource>,
  ref: SessionRef,
  { cwd }: { cwd?: string | undefined } = {},
): Promise<Verification> {
  const { storage, blobs } = factoryOf(sessions)
  const key = await sessions.resolve(ref, { cwd })
  const stat = await statToRead(storage, key)
  if (!stat) throw noSessionAt(key, refText(ref))
  const loaded = await run(loadWhole(storage, key, stat))
  try {
    return await verifyLoaded(loaded, key, blobs)
  } finally {
    loaded.content.state.close()
  }
}
