import { isTreelogError, type TreelogError } from "../errors.js"
import { encodeLine } from "../log/format-line.js"
import type { LogEnd, LogOutline } from "../log/session-log.js"
import { assembleSync } from "../log/splice.js"
import type { Lease, StorageStat, SyncLease } from "../ports/session-storage.js"
import { assertSyncStorage, type SyncSessionStorage } from "../ports/sync-storage.js"
import { loadStored, loadToWrite, loadToWriteSync } from "./reader/load-stored.js"
import { StoredTail } from "./reader/stored-tail.js"
import { copyParts, readToCopy, replaceByCopy } from "./rewrite/stored-session.js"
import type { Session } from "./session.js"
import { noSessionAt, unsupportedError } from "./session-errors.js"
import type { SessionFactory } from "./session-factory.js"
import { type CreateOptions, leaseOptions, type OpenOptions } from "./session-options.js"
import type { SessionContent } from "./session-parts.js"
import { SessionState } from "./session-state.js"
import { NOTHING_STORED } from "./writer/waiting-lines.js"

export type OpenToWriteOptions = CreateOptions & Pick<OpenOptions, "cwd" | "onCorrupt">

/** Opens a stored session for reading (FORMAT.md, section 4): no lease, and never a byte is written. */
export async function openToRead(factory: SessionFactory, key: string, ref: string): Promise<Session> {
  const { storage } = factory
  const stat = await storage.stat(key)
  if (!stat) throw noSessionAt(key, ref)
  const loaded = await loadStored(storage, key, stat)
  const content = loaded?.content ?? { header: factory.newHeader(""), state: new SessionState() }
  return factory.reading(
    content,
    new StoredTail(storage, key, stat, loaded ? readableEnd(loaded.outline) : NOTHING_STORED),
  )
}

/** Opens a session for writing. A version that is not supported opens, but refuses every write. */
export async function openToWrite(factory: SessionFactory, key: string, options: OpenToWriteOptions): Promise<Session> {
  const { storage } = factory
  if (options.access !== "shared" && !(await storage.stat(key))) return begin(factory, key, options)
  return openLeased(factory, await storage.lease(key, leaseOptions(options)), options)
}

/** Opens what is stored when `before` is done. The session goes on with the lease; a shared one takes it again to write. */
export async function openLeased(
  factory: SessionFactory,
  lease: Lease,
  options: OpenToWriteOptions,
  before = async () => {},
): Promise<Session> {
  let session: Session | undefined
  try {
    await before()
    session = await openUnderLease(factory, lease, options)
    if (options.access === "shared") await lease.release()
    return session
  } catch (error) {
    // Nobody would have the session, nor its lease. What failed first counts.
    await Promise.allSettled([session?.discard(), lease.release()])
    throw error
  }
}

/**
 * `openToWrite` without promises; a file that is no session is refused.
 * @throws StorageError where the storage cannot do that; InvalidSessionError, SessionBusyError
 */
export function openToWriteSync(factory: SessionFactory, key: string, options: OpenToWriteOptions): Session {
  const { storage } = factory
  assertSyncStorage(storage, key, "openSync")
  const stat = storage.statSync(key)
  if (!stat || stat.size === 0) return begin(factory, key, options, stat)
  const asItIs = options.access === "shared" ? openAsItIs(factory, storage, stat, key, options) : undefined
  if (asItIs) return asItIs
  const lease = storage.leaseSync(key, leaseOptions(options))
  let isKept = false
  try {
    const { content, tail, refusal } = loadUnderLease(factory, storage, lease)
    if (refusal) return factory.reading(content, tail, refusal)
    isKept = options.access !== "shared"
    return factory.writing(key, content, options, { tail, lease: isKept ? lease : undefined })
  } finally {
    if (!isKept) lease.releaseSync()
  }
}

/**
 * Without a lease: a shared session takes it when it first writes, and then reads what others appended since. Undefined where the session
 * has to be written to open it, where somebody may be writing its last line, and where it changes meanwhile.
 */
function openAsItIs(
  factory: SessionFactory,
  storage: SyncSessionStorage,
  stat: StorageStat,
  key: string,
  options: OpenToWriteOptions,
): Session | undefined {
  try {
    const loaded = loadToWriteSync(storage, key, stat)
    if (!loaded || "bytes" in loaded) return undefined
    const { outline, content } = loaded
    if (outline.version !== "unsupported" && outline.end.terminated)
      return factory.writing(key, content, options, { tail: new StoredTail(storage, key, stat, outline.end) })
    content.state.close()
    return undefined
  } catch (error) {
    if (!isTreelogError(error, "SessionChangedError")) throw error
    return undefined
  }
}

/** What is stored now; brought to the current version first. */
function loadUnderLease(
  factory: SessionFactory,
  storage: SyncSessionStorage,
  lease: SyncLease,
): { content: SessionContent; tail: StoredTail; refusal?: TreelogError } {
  const { key } = lease
  const stat = storage.statSync(key)
  const loaded = stat && loadToWriteSync(storage, key, stat)
  if (!stat || !loaded) throw noSessionAt(key)
  if ("bytes" in loaded) {
    const { log, bytes } = loaded
    lease.replaceSync(assembleSync(copyParts(log), bytes), { expected: stat, keepAs: `.v${log.version}.bak` })
    return loadUnderLease(factory, storage, lease)
  }
  const { outline, content } = loaded
  if (outline.version !== "unsupported") return { content, tail: new StoredTail(storage, key, stat, outline.end) }
  const tail = new StoredTail(storage, key, stat, readableEnd(outline))
  return { content, tail, refusal: unsupportedError(outline, key) }
}

async function openUnderLease(factory: SessionFactory, lease: Lease, options: OpenToWriteOptions): Promise<Session> {
  const { key } = lease
  const { storage } = factory
  const stat = await storage.stat(key)
  if (!stat) return beginUnderLease(factory, key, options, lease)
  let loaded: Awaited<ReturnType<typeof loadToWrite>>
  try {
    loaded = await loadToWrite(storage, key, stat)
  } catch (error) {
    if (options.onCorrupt !== "quarantine" || !isTreelogError(error, "InvalidSessionError")) throw error
    await lease.quarantine(`.corrupt-${new Date(factory.clock.now()).toISOString().replace(/[:.]/g, "-")}`)
    return beginUnderLease(factory, key, options, lease)
  }
  if (!loaded) return beginUnderLease(factory, key, options, lease, stat)
  if ("outdated" in loaded) {
    await replaceByCopy(storage, lease, await readToCopy(storage, key))
    return openUnderLease(factory, lease, options)
  }
  const { outline, content } = loaded
  if (outline.version === "unsupported") {
    await lease.release()
    const tail = new StoredTail(storage, key, stat, readableEnd(outline))
    return factory.reading(content, tail, unsupportedError(outline, key))
  }
  const tail = new StoredTail(storage, key, stat, outline.end)
  return factory.writing(key, content, options, { tail, lease: options.access === "shared" ? undefined : lease })
}

/** A session where there is none yet, or no byte of one. */
function begin(
  factory: SessionFactory,
  key: string,
  options: OpenToWriteOptions,
  stat?: StorageStat,
  lease?: Lease,
): Session {
  const content = { header: factory.newHeader(options.cwd ?? "", options), state: new SessionState() }
  const tail = stat && new StoredTail(factory.storage, key, stat, NOTHING_STORED)
  return factory.writing(key, content, options, { lease, tail })
}

/** The same under a lease that was taken. */
async function beginUnderLease(
  factory: SessionFactory,
  key: string,
  options: OpenToWriteOptions,
  lease: Lease,
  stat?: StorageStat,
): Promise<Session> {
  if (options.access !== "shared") return begin(factory, key, options, stat, lease)
  const content = { header: factory.newHeader(options.cwd ?? "", options), state: new SessionState() }
  // At once, while the lease is held: several openers of one new session must find one header.
  const header = encodeLine(content.header)
  const stored = stat ? await lease.append(header, stat) : await lease.create([header])
  await lease.sync()
  const tail = new StoredTail(factory.storage, key, stored, { size: header.length, lines: 1, terminated: true })
  return factory.writing(key, content, options, { tail })
}

/** Where one goes on reading: a torn last line may still be completed by whoever is writing it. */
function readableEnd({ end, diagnostics }: LogOutline): LogEnd {
  const torn = diagnostics.find((diagnostic) => diagnostic.kind === "torn-line")
  return torn?.offset === undefined ? end : { size: torn.offset, lines: end.lines - 1, terminated: true }
}
