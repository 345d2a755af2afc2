import type { SessionHeader } from "../../entry/header.js"
import type { Part } from "../../log/splice.js"
import { assembled, type Source } from "../reader/assembled.js"
import { loadStored } from "../reader/load-stored.js"
import { noBytes } from "../reader/read-stored.js"
import { StoredTail } from "../reader/stored-tail.js"
import type { Session } from "../session.js"
import type { SessionFactory } from "../session-factory.js"
import type { CreateOptions } from "../session-options.js"

/** Stores a copy as a new session, with the artifacts of its source, and opens it. */
export async function storeCopy(
  factory: SessionFactory,
  header: SessionHeader,
  parts: Iterable<Part>,
  source: Source,
  options: CreateOptions,
): Promise<Session> {
  const { storage } = factory
  const key = factory.keyFor(header)
  const isShared = options.access === "shared"
  const lease = await storage.lease(key, { access: options.access ?? "exclusive", waitMs: 0 })
  let session: Session | undefined
  try {
    const stat = await lease.create(assembled(storage, parts, source), { artifactsFrom: source.from })
    await lease.sync()
    const loaded = await loadStored(storage, key, stat)
    if (!loaded) throw noBytes(key)
    const tail = new StoredTail(storage, key, stat, loaded.outline.end)
    session = factory.writing(key, loaded.content, options, { tail, ...(!isShared && { lease }) })
    if (isShared) await lease.release()
    return session
  } catch (error) {
    // Nobody would have the copy, nor its lease. What failed first counts.
    await Promise.allSettled([session?.discard(), lease.release()])
    throw error
  }
}
