import { encodeLine } from "../log/format-line.js"
import type { LogEnd, LogOutline, SessionLog } from "../log/session-log.js"
import { assembleSync } from "../log/splice.js"
import type { StorageStat } from "../ports/session-source.js"
import type { Lease, SessionStorage, SyncLease } from "../ports/session-storage.js"
import { assertSyncStorage, isSyncStorage, readAllSync, releaseLease } from "../ports/sync-storage.js"
import { run, runNow, type Steps, step } from "../steps.js"
import { loadStored, loadToWrite } from "./reader/load-stored.js"
import { readUnchanged, statStored } from "./reader/read-stored.js"
import { StoredTail } from "./reader/stored-tail.js"
import { copyParts, replaceByCopy } from "./rewrite/stored-session.js"
import type { Session } from "./session.js"
import { noSessionAt, unsupportedError } from "./session-errors.js"
import type { SessionFactory } from "./session-factory.js"
import { type CreateOptions, leaseOptions, type OpenOptions } from "./session-options.js"
import { SessionState } from "./session-state.js"
import { NOTHING_STORED } from "./writer/waiting-lines.js"

export type OpenToWriteOptions = CreateOptions & Pick<OpenOptions, "cwd">

/** Opens a stored session for reading (FORMAT.md, section 4): no lease, and never a byte is written. */
export function openToRead(factory: SessionFactory, key: string, ref: string): Promise<Session> {
  return readUnchanged(() => run(openAsStored(factory, key, ref)))
}

function* openAsStored(factory: SessionFactory, key: string, ref: string): Steps<Session> {
  const { storage } = factory
  const stat = yield* statStored(storage, key)
  if (!stat) throw noSessionAt(key, ref)
  const loaded = yield* loadStored(storage, key, stat)
  const content = loaded?.content ?? { header: factory.newHeader(""), state: new SessionState() }
  const end = loaded ? readableEnd(loaded.outline) : NOTHING_STORED
  return factory.reading(content, new StoredTail(storage, key, stat, end))
}

/**
 * Opens a stored session for writing, and never makes one: where it was moved or removed meanwhile, it is not found. A version that is not
 * supported opens, but refuses every write.
 */
export function* openToWrite(factory: SessionFactory, key: string, options: OpenToWriteOptions): Steps<Session> {
  const storage = factory.writable(key)
  // A lease may make the folder of what is not there. Over a network, this would be a round trip that only saves one on errors.
  if (isSyncStorage(storage) && !storage.statSync(key)) throw noSessionAt(key)
  return yield* openLeased(factory, yield* step(() => storage.lease(key, leaseOptions(options))), options)
}

/** Opens what is stored when `before` is done. The session keeps the lease; a shared one takes it again to write. */
export function* openLeased(
  factory: SessionFactory,
  lease: Lease,
  options: OpenToWriteOptions,
  before?: Steps<unknown>,
): Steps<Session> {
  const storage = factory.writable(lease.key)
  let session: Session | undefined
  try {
    if (before) yield* before
    session = yield* openUnderLease(factory, lease, options)
    if (options.access === "shared") yield* releaseLease(storage, lease)
    return session
  } catch (error) {
    // Without this, the lease would stay taken. The first error is thrown.
    yield* step<unknown>(
      () => Promise.allSettled([session?.discard(), lease.release()]),
      () => runNow(releaseLease(storage, lease)),
    )
    throw error
  }
}

/** What is stored now; brought to the current version first. */
function* openUnderLease(factory: SessionFactory, lease: Lease, options: OpenToWriteOptions): Steps<Session> {
  const { key } = lease
  const storage = factory.writable(key)
  const stat = yield* statStored(storage, key)
  if (!stat) throw noSessionAt(key)
  const loaded = yield* loadToWrite(storage, key, stat)
  if (!loaded) return yield* beginUnderLease(factory, key, options, lease, stat)
  if ("outdated" in loaded) {
    yield* migrateStored(storage, lease, stat, loaded.outdated)
    return yield* openUnderLease(factory, lease, options)
  }
  const { outline, content } = loaded
  if (outline.version === "unsupported") {
    yield* releaseLease(storage, lease)
    const tail = new StoredTail(storage, key, stat, readableEnd(outline))
    return factory.reading(content, tail, unsupportedError(outline, key))
  }
  const tail = new StoredTail(storage, key, stat, outline.end)
  return factory.writing(key, content, options, { tail, lease: options.access === "shared" ? undefined : lease })
}

/** Brings what is stored to the current version. */
function migrateStored(storage: SessionStorage, lease: Lease, stat: StorageStat, log: SessionLog): Steps<unknown> {
  return step<unknown>(
    () => replaceByCopy(storage, lease, { stat, log }),
    () => {
      assertSyncStorage(storage, lease.key, "openSync")
      const bytes = readAllSync(storage, lease.key, stat)
      const keepAs = `.v${log.version}.bak`
      return (lease as SyncLease).replaceSync(assembleSync(copyParts(log), bytes), { expected: stat, keepAs })
    },
  )
}

/** A new session, where nothing is stored yet, or no byte. */
export function begin(
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

/** Begins a session under a lease that was taken, where a session without bytes is stored. */
function* beginUnderLease(
  factory: SessionFactory,
  key: string,
  options: OpenToWriteOptions,
  lease: Lease,
  stat: StorageStat,
): Steps<Session> {
  if (options.access !== "shared") return begin(factory, key, options, stat, lease)
  const content = { header: factory.newHeader(options.cwd ?? "", options), state: new SessionState() }
  // At once, while the lease is held: several openers must find one header.
  const header = encodeLine(content.header)
  const stored = yield* step(
    async () => {
      const after = await lease.append(header, stat)
      await lease.sync()
      return after
    },
    () => {
      const now = lease as SyncLease
      const after = now.appendSync(header, stat)
      now.syncSync()
      return after
    },
  )
  const tail = new StoredTail(factory.storage, key, stored, { size: header.length, lines: 1, terminated: true })
  return factory.writing(key, content, options, { tail })
}

/** Where reading continues: a torn last line may still be completed by its writer. */
function readableEnd({ end, diagnostics }: LogOutline): LogEnd {
  const torn = diagnostics.find((diagnostic) => diagnostic.kind === "torn-line")
  return torn?.offset === undefined ? end : { size: torn.offset, lines: end.lines - 1, terminated: true }
}
