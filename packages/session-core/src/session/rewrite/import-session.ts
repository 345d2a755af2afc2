import type { SessionHeader } from "../../entry/header.js"
import { isTreelogError } from "../../errors.js"
import { splitLines } from "../../log/split-lines.js"
import { MemoryBlobStore } from "../../memory/memory-blob-store.js"
import { blobUse } from "../../persist/restore-entry.js"
import { sanitizeEntry } from "../../persist/sanitize-entry.js"
import type { BlobStore } from "../../ports/blob-store.js"
import { findKey } from "../listing/find-sessions.js"
import { assembled } from "../reader/assembled.js"
import { isNameableId, type SessionFactory } from "../session-factory.js"
import { copyParts } from "./copy-parts.js"
import { LinePass } from "./rewrite-lines.js"
import { readToCopy, underLease } from "./stored-session.js"

/** Where an imported session goes. */
export interface ImportOptions {
  /** The folder that the session is to belong to. Default: the one in its header. */
  readonly cwd?: string
  /** The folder that it belongs to where its header has none. */
  readonly defaultCwd?: string
  /** Where the blobs are that it refers to: those that this storage's blob store lacks are copied. */
  readonly blobs?: BlobStore
}

/** What an import did. */
export interface ImportReport {
  /** The storage's key of the session. */
  readonly path: string
  readonly id: string
  /** The id that it had, where it got a new one: that one was taken, or cannot be part of a name. */
  readonly formerId: string | undefined
  /** Blobs that were copied. */
  readonly copied: readonly string[]
  /** Blobs that it refers to and that nobody has. */
  readonly missing: readonly string[]
}

export async function importSession(
  factory: SessionFactory,
  from: string,
  { cwd, defaultCwd = "", blobs }: ImportOptions,
): Promise<ImportReport> {
  const { storage } = factory
  const { stat, log } = await readToCopy(storage, from)
  const { cwd: given }: { cwd: unknown } = log.header
  const header = await importedHeader(factory, log.header, cwd ?? (typeof given === "string" ? given : defaultCwd))
  const parts = copyParts(log, (migrated) => ({ ...migrated, id: header.id, cwd: header.cwd }))
  const use = new BlobUse(factory.blobs, blobs)
  const pass = new LinePass(from, factory.blobs ?? new MemoryBlobStore(), async (record) => {
    const value = factory.blobs ? await sanitizeEntry(record, factory.blobs) : record
    await use.of(value)
    return { value, diagnostics: [] }
  })
  const path = keyOf(factory, header)
  const copy = splitLines(assembled(storage, parts, { from, identity: stat.identity }))
  await underLease(storage, path, async (lease) => {
    await lease.create(pass.all(copy))
    await lease.sync()
  })
  const formerId = header.id === log.header.id ? undefined : log.header.id
  return { path, id: header.id, formerId, copied: [...use.copied], missing: [...use.missing] }
}

/** The header with an id that is free and can be part of a name. */
async function importedHeader(factory: SessionFactory, header: SessionHeader, cwd: string): Promise<SessionHeader> {
  const placed = { ...header, cwd }
  const isFree = isNameableId(header.id) && !(await findKey(factory.storage, ({ id }) => id === header.id))
  return isFree && !(await factory.storage.stat(keyOf(factory, placed)))
    ? placed
    : { ...placed, id: factory.ids.sessionId(factory.clock.now()) }
}

/** A header of the wild may have any timestamp, but not every one can be part of a name. */
function keyOf(factory: SessionFactory, header: SessionHeader): string {
  try {
    return factory.keyFor(header)
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError") || error.data.argument !== "timestamp") throw error
    return factory.keyFor({ ...header, timestamp: new Date(factory.clock.now()).toISOString() })
  }
}

/** The blobs that entries refer to, copied from elsewhere where they are not here. */
class BlobUse {
  readonly copied = new Set<string>()
  readonly missing = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #own: BlobStore | undefined
  readonly #from: BlobStore | undefined

  constructor(own: BlobStore | undefined, from: BlobStore | undefined) {
    this.#own = own
    this.#from = from
  }

  async of(value: object): Promise<void> {
    for (const hash of blobUse(value).hashes) {
      if (this.#seen.has(hash)) continue
      this.#seen.add(hash)
      if (await this.#own?.has(hash)) continue
      ;((await this.#copy(hash)) ? this.copied : this.missing).add(hash)
    }
  }

  /** False where there is nothing to copy, or it is damaged. */
  async #copy(hash: string): Promise<boolean> {
    if (!this.#own || !this.#from || !(await this.#from.has(hash))) return false
    try {
      await this.#own.put(this.#from.openRead(hash))
      return true
    } catch (error) {
      if (isTreelogError(error, "BlobDamagedError") || isTreelogError(error, "BlobNotFoundError")) return false
      throw error
    }
  }
}
