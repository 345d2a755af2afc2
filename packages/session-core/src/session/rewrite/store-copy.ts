import type { SessionHeader } from "../../entry/header.js"
import type { Part } from "../../log/splice.js"
import type { Lease } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import type { Source } from "../reader/assembled.js"
import { loadStored } from "../reader/load-stored.js"
import { noBytes } from "../reader/read-stored.js"
import { StoredTail } from "../reader/stored-tail.js"
import type { Session } from "../session.js"
import type { SessionFactory } from "../session-factory.js"
import type { CreateOptions } from "../session-options.js"
import { IndexedParts } from "./indexed-parts.js"

/** Stores a copy as a new session, with the artifacts of its source, and opens it: what was just written is not read again. */
export async function storeCopy(
  factory: SessionFactory,
  header: SessionHeader,
  parts: Iterable<Part>,
  source: Source,
  options: CreateOptions,
): Promise<Session> {
  const { storage } = factory
  const key = factory.keyFor(header)
  const lease = await storage.lease(key, { access: options.access ?? "exclusive", waitMs: 0 })
  let session: Session | undefined
  try {
    const copy = new IndexedParts(storage, key, parts, source)
    const stat = await lease.create(copy.chunks(), { artifactsFrom: source.from })
    await lease.sync()
    session = await opened(factory, lease, stat, copy, options)
    if (options.access === "shared") await lease.release()
    return session
  } catch (error) {
    // Nobody would have the copy, nor its lease. What failed first counts.
    await Promise.allSettled([session?.discard(), lease.release()])
    throw error
  }
}

async function opened(
  factory: SessionFactory,
  lease: Lease,
  stat: StorageStat,
  copy: IndexedParts,
  options: CreateOptions,
): Promise<Session> {
  const { key } = lease
  const loaded = await loadStored(factory.storage, key, stat, copy.index())
  if (!loaded) throw noBytes(key)
  const tail = new StoredTail(factory.storage, key, stat, loaded.outline.end)
  return factory.writing(key, loaded.content, options, { tail, ...(options.access !== "shared" && { lease }) })
}
