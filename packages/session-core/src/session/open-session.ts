import { isTreelogError } from "../errors.js"
import { encodeLine } from "../log/format-line.js"
import type { LogEnd, LogOutline } from "../log/session-log.js"
import type { Lease, SessionStorage } from "../ports/session-storage.js"
import type { StorageStat } from "../ports/storage-stat.js"
import { type LoadedContent, loadStored, loadToWrite, type Outdated } from "./reader/load-stored.js"
import { StoredTail } from "./reader/stored-tail.js"
import { readToCopy, replaceByCopy } from "./rewrite/stored-session.js"
import type { Session } from "./session.js"
import type { SessionContent } from "./session-content.js"
import { noSessionAt } from "./session-errors.js"
import type { SessionFactory } from "./session-factory.js"
import type { CreateOptions } from "./session-options.js"
import { SessionState } from "./session-state.js"
import { unsupportedError } from "./supported.js"

export interface OpenToWriteOptions extends CreateOptions {
  /** The folder of a session that is not there yet. */
  readonly cwd?: string
  /** What to do with a file that is no session: refuse it (default), or rename it and start afresh at its path. */
  readonly onCorrupt?: "error" | "quarantine"
}

/** Opens a stored session for reading (FORMAT.md, section 4): no lease, and never a byte is written. */
export async function openToRead(factory: SessionFactory, key: string, ref: string): Promise<Session> {
  const stat = await factory.storage.stat(key)
  if (!stat) throw noSessionAt(key, ref)
  const loaded = await loadStored(factory.storage, key, stat)
  if (!loaded) {
    const tail = new StoredTail(factory.storage, key, stat, { size: 0, lines: 0, terminated: true })
    return factory.reading({ header: factory.newHeader(""), state: new SessionState() }, tail)
  }
  return factory.reading(loaded.content, new StoredTail(factory.storage, key, stat, readableEnd(loaded.outline)))
}

/** Opens a session for writing. A version that is not supported opens, but refuses every write. */
export async function openToWrite(factory: SessionFactory, key: string, options: OpenToWriteOptions): Promise<Session> {
  const { storage } = factory
  const access = options.access ?? "exclusive"
  if (access === "exclusive" && !(await storage.stat(key)))
    return factory.writing(key, fresh(factory, options), options)
  const lease = await storage.lease(key, {
    access,
    waitMs: access === "shared" ? (options.busyTimeoutMs ?? 10_000) : 0,
  })
  let opened: Opened | undefined
  try {
    opened = await openUnderLease(factory, lease, options)
    if (access === "shared" || !opened.takesLease) await lease.release()
    return opened.session
  } catch (error) {
    // Nobody would have the session, nor its lease. What failed first counts.
    await Promise.allSettled([opened?.session.discard(), lease.release()])
    throw error
  }
}

interface Opened {
  readonly session: Session
  /** Whether the session goes on with the lease. */
  readonly takesLease: boolean
}

async function openUnderLease(factory: SessionFactory, lease: Lease, options: OpenToWriteOptions): Promise<Opened> {
  const { key } = lease
  const { storage } = factory
  const kept = options.access === "shared" ? {} : { lease }
  const stat = await storage.stat(key)
  const loaded = stat && (await loadOrQuarantine(storage, lease, stat, options, factory))
  if (loaded === "quarantined") return begin(factory, lease, undefined, options)
  if (!loaded) return begin(factory, lease, stat, options)
  if ("outdated" in loaded) {
    await replaceByCopy(storage, lease, await readToCopy(storage, key))
    return openUnderLease(factory, lease, options)
  }
  const { outline, content } = loaded
  if (outline.version === "unsupported") {
    const tail = new StoredTail(storage, key, stat, readableEnd(outline))
    return { session: factory.reading(content, tail, unsupportedError(outline, key)), takesLease: false }
  }
  const tail = new StoredTail(storage, key, stat, outline.end)
  return { session: factory.writing(key, content, options, { ...kept, tail }), takesLease: true }
}

/** A session where there is none yet, or no byte of one. */
async function begin(
  factory: SessionFactory,
  lease: Lease,
  stat: StorageStat | undefined,
  options: OpenToWriteOptions,
): Promise<Opened> {
  const { key } = lease
  const content = fresh(factory, options)
  if (options.access !== "shared") {
    const tail = stat && new StoredTail(factory.storage, key, stat, { size: 0, lines: 0, terminated: true })
    return { session: factory.writing(key, content, options, { lease, ...(tail && { tail }) }), takesLease: true }
  }
  // At once, while the lease is held: several openers of one new session must find one header.
  const header = encodeLine(content.header)
  const stored = stat ? await lease.append(header, stat) : await lease.create([header])
  await lease.sync()
  const tail = new StoredTail(factory.storage, key, stored, { size: header.length, lines: 1, terminated: true })
  return { session: factory.writing(key, content, options, { tail }), takesLease: true }
}

function fresh(factory: SessionFactory, options: OpenToWriteOptions): SessionContent {
  return { header: factory.newHeader(options.cwd ?? "", options), state: new SessionState() }
}

async function loadOrQuarantine(
  storage: SessionStorage,
  lease: Lease,
  stat: StorageStat,
  { onCorrupt }: OpenToWriteOptions,
  { clock }: SessionFactory,
): Promise<LoadedContent | Outdated | "quarantined" | undefined> {
  try {
    return await loadToWrite(storage, lease.key, stat)
  } catch (error) {
    if (onCorrupt !== "quarantine" || !isTreelogError(error, "InvalidSessionError")) throw error
    await lease.quarantine(`.corrupt-${new Date(clock.now()).toISOString().replace(/[:.]/g, "-")}`)
    return "quarantined"
  }
}

/** Where one goes on reading: a torn last line may still be completed by whoever is writing it. */
function readableEnd({ end, diagnostics }: LogOutline): LogEnd {
  const torn = diagnostics.find((diagnostic) => diagnostic.kind === "torn-line")
  return torn?.offset === undefined ? end : { size: torn.offset, lines: end.lines - 1, terminated: true }
}
