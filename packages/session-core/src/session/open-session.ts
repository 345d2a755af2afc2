import { isTreelogError } from "../errors.js"
import { encodeLine } from "../log/format-line.js"
import type { LogEnd, LogOutline } from "../log/session-log.js"
import type { Lease, StorageStat } from "../ports/session-storage.js"
import { loadStored, loadToWrite } from "./reader/load-stored.js"
import { StoredTail } from "./reader/stored-tail.js"
import { readToCopy, replaceByCopy } from "./rewrite/stored-session.js"
import type { Session } from "./session.js"
import { noSessionAt, unsupportedError } from "./session-errors.js"
import type { SessionFactory } from "./session-factory.js"
import { type CreateOptions, leaseOptions, type OpenOptions } from "./session-options.js"
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

async function openUnderLease(factory: SessionFactory, lease: Lease, options: OpenToWriteOptions): Promise<Session> {
  const { key } = lease
  const { storage } = factory
  const stat = await storage.stat(key)
  if (!stat) return begin(factory, key, options, lease)
  let loaded: Awaited<ReturnType<typeof loadToWrite>>
  try {
    loaded = await loadToWrite(storage, key, stat)
  } catch (error) {
    if (options.onCorrupt !== "quarantine" || !isTreelogError(error, "InvalidSessionError")) throw error
    await lease.quarantine(`.corrupt-${new Date(factory.clock.now()).toISOString().replace(/[:.]/g, "-")}`)
    return begin(factory, key, options, lease)
  }
  if (!loaded) return begin(factory, key, options, lease, stat)
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
async function begin(
  factory: SessionFactory,
  key: string,
  options: OpenToWriteOptions,
  lease?: Lease,
  stat?: StorageStat,
): Promise<Session> {
  const { storage } = factory
  const content = { header: factory.newHeader(options.cwd ?? "", options), state: new SessionState() }
  if (!lease || options.access !== "shared") {
    const tail = stat && new StoredTail(storage, key, stat, NOTHING_STORED)
    return factory.writing(key, content, options, { lease, tail })
  }
  // At once, while the lease is held: several openers of one new session must find one header.
  const header = encodeLine(content.header)
  const stored = stat ? await lease.append(header, stat) : await lease.create([header])
  await lease.sync()
  const tail = new StoredTail(storage, key, stored, { size: header.length, lines: 1, terminated: true })
  return factory.writing(key, content, options, { tail })
}

/** Where one goes on reading: a torn last line may still be completed by whoever is writing it. */
function readableEnd({ end, diagnostics }: LogOutline): LogEnd {
  const torn = diagnostics.find((diagnostic) => diagnostic.kind === "torn-line")
  return torn?.offset === undefined ? end : { size: torn.offset, lines: end.lines - 1, terminated: true }
}
