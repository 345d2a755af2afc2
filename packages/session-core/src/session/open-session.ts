import { CURRENT_VERSION } from "../entry/header.js"
import { isTreelogError, TreelogError } from "../errors.js"
import { encodeLine } from "../log/format-line.js"
import type { LogEnd, SessionLog } from "../log/session-log.js"
import type { Lease, SessionStorage } from "../ports/session-storage.js"
import type { StorageStat } from "../ports/storage-stat.js"
import { migrateStored } from "./change/migrate-session.js"
import { loadState } from "./load-state.js"
import type { Session } from "./session.js"
import type { SessionContent, SessionFactory } from "./session-factory.js"
import type { CreateOptions } from "./session-options.js"
import { SessionState } from "./session-state.js"
import { readStoredLog } from "./stored/read-stored.js"
import { StoredTail } from "./stored/stored-tail.js"
import { unsupportedError } from "./supported.js"

export interface OpenToWriteOptions extends CreateOptions {
  /** The folder of a session that is not there yet. */
  readonly cwd?: string
  /** What to do with a file that is no session: refuse it (default), or rename it and start afresh at its path. */
  readonly onCorrupt?: "error" | "quarantine"
}

/** Opens a stored session to look at it (FORMAT.md, section 4): no lease, and never a byte is written. */
export async function openToRead(factory: SessionFactory, key: string, ref: string): Promise<Session> {
  const stat = await factory.storage.stat(key)
  if (!stat) throw new TreelogError("SessionNotFoundError", `There is no session at ${key}.`, { ref })
  const log = await readStoredLog(factory.storage, key, stat)
  if (!log) {
    const tail = new StoredTail(factory.storage, key, stat, { size: 0, lines: 0, terminated: true })
    return factory.reading({ header: factory.newHeader(""), state: new SessionState() }, tail)
  }
  return factory.reading(
    { ...loadState(log), titleSlot: log.titleSlot },
    new StoredTail(factory.storage, key, stat, readableEnd(log)),
  )
}

/** Opens a session to go on with it. A version that is not supported opens, but refuses every write. */
export async function openToWrite(factory: SessionFactory, key: string, options: OpenToWriteOptions): Promise<Session> {
  const { storage } = factory
  const access = options.access ?? "exclusive"
  if (access === "exclusive" && !(await storage.stat(key)))
    return factory.writing(key, fresh(factory, options), options)
  const lease = await storage.lease(key, {
    access,
    waitMs: access === "shared" ? (options.busyTimeoutMs ?? 10_000) : 0,
  })
  let keepsLease = false
  try {
    const session = await openUnderLease(factory, lease, options)
    keepsLease = access === "exclusive" && session.takesLease
    return session.session
  } finally {
    if (!keepsLease) await lease.release()
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
  const log = stat && (await readOrQuarantine(storage, lease, stat, options, factory))
  if (log === "quarantined") return begin(factory, lease, undefined, options)
  if (!log) return begin(factory, lease, stat, options)
  if (log.version === "unsupported") {
    const tail = new StoredTail(storage, key, stat, readableEnd(log))
    return { session: factory.reading(loadState(log), tail, unsupportedError(log, key)), takesLease: false }
  }
  const current = log.version === CURRENT_VERSION ? { log, stat } : await migrateStored(storage, lease, log, stat)
  const content = { ...loadState(current.log), titleSlot: current.log.titleSlot }
  const tail = new StoredTail(storage, key, current.stat, current.log.end)
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

async function readOrQuarantine(
  storage: SessionStorage,
  lease: Lease,
  stat: StorageStat,
  { onCorrupt }: OpenToWriteOptions,
  { clock }: SessionFactory,
): Promise<SessionLog | "quarantined" | undefined> {
  try {
    return await readStoredLog(storage, lease.key, stat)
  } catch (error) {
    if (onCorrupt !== "quarantine" || !isTreelogError(error, "InvalidSessionError")) throw error
    await lease.setAside(`.corrupt-${new Date(clock.now()).toISOString().replace(/[:.]/g, "-")}`)
    return "quarantined"
  }
}

/** Where one goes on reading: a torn last line may still be completed by whoever is writing it. */
function readableEnd({ end, diagnostics }: SessionLog): LogEnd {
  const torn = diagnostics.find((diagnostic) => diagnostic.kind === "torn-line")
  return torn?.offset === undefined ? end : { size: torn.offset, lines: end.lines - 1, terminated: true }
}
