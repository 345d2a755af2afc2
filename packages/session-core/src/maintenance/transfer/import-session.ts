import type { SessionHeader } from "../../entry/entry.js"
import { isJsonObject } from "../../entry/values.js"
import { isTreelogError } from "../../errors.js"
import { splitLines } from "../../log/split-lines.js"
import { blobUse } from "../../persist/restore-entry.js"
import { sanitizeEntry } from "../../persist/sanitize-entry.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import { factoryOf } from "../../session/factory-of.js"
import { keyOfId } from "../../session/listing/resolve-ref.js"
import { assembled } from "../../session/reader/assembled.js"
import { readHeader } from "../../session/reader/read-stored.js"
import { copyParts, readToCopy, underLease } from "../../session/rewrite/stored-session.js"
import { isNameableId, type SessionFactory } from "../../session/session-factory.js"
import type { SessionManager } from "../../session/session-manager.js"
import { LinePass } from "../rewrite-lines.js"
import { type ImportedUpdate, updateImport } from "./update-import.js"

/** Where an imported session goes. */
export interface ImportOptions {
  /** The folder that the session is to belong to. Default: the one in its header. */
  readonly cwd?: string
  /** The folder that it belongs to where its header has none. */
  readonly defaultCwd?: string
  /** Where the blobs are that it refers to: those that this storage's blob store lacks are copied. */
  readonly blobs?: BlobStore
  /** The storage that `from` is a key of: that of files, to import a file into a database. Default: the one that the session goes to. */
  readonly storage?: SessionStorage
  /**
   * Where the session was imported before, add to it what its source has in addition (see `ImportReport.status`), instead of importing it
   * once more under a new id. A session counts as that if its header has the same id, and the same `source`. Default false.
   */
  readonly update?: boolean
}

/** What an import did. */
export interface ImportReport {
  /** The storage's key of the session. */
  readonly path: string
  readonly id: string
  /**
   * `created`: stored as a new session. With `update` also `unchanged`; `appended`: what the source has in addition follows what was stored;
   * `branched`: it is a branch, since entries were added here, or the source was rewritten. Nothing that was stored is changed or removed.
   */
  readonly status: "created" | ImportedUpdate["status"]
  /** With `update`, how many entries were added to a session that was stored before, and how many of these are stored with another content too. */
  readonly added: number
  readonly rewritten: number
  /** The id that it had, where it got a new one: that one was taken, or cannot be part of a name. */
  readonly formerId: string | undefined
  /** Blobs that were copied. */
  readonly copied: readonly string[]
  /** Blobs that it refers to and that nobody has. */
  readonly missing: readonly string[]
}

/**
 * Imports a session that is stored elsewhere, as it is: ids, parents, labels and leaf stay, an older version
 * becomes the current one, images and long texts go to the blob store, as far as they are inline. Where its id is taken, it
 * gets a new one. The source is only read.
 * @param from the storage's key of the source: a path, for files
 * @throws SessionNotFoundError, InvalidSessionError, UnsupportedVersionError, StorageError
 */
export async function importSession(
  sessions: SessionManager,
  from: string,
  { cwd, defaultCwd = "", blobs, storage: source = sessions.storage, update = false }: ImportOptions = {},
): Promise<ImportReport> {
  const factory = factoryOf(sessions)
  const { storage } = factory
  const { stat, log } = await readToCopy(source, from)
  const { cwd: given }: { cwd: unknown } = log.header
  const before = update ? await importedBefore(factory, log.header) : undefined
  const header = before
    ? log.header
    : await importedHeader(factory, log.header, cwd ?? (typeof given === "string" ? given : defaultCwd))
  const parts = copyParts(log, (migrated) => ({ ...migrated, id: header.id, cwd: header.cwd }))
  const own = factory.blobs
  const seen = new Set<string>()
  const [copied, missing]: [string[], string[]] = [[], []]
  const pass = new LinePass(from, async (record) => {
    const value = own ? await sanitizeEntry(record, own) : record
    for (const hash of blobUse(value).hashes) {
      if (seen.has(hash)) continue
      seen.add(hash)
      if (await own?.has(hash)) continue
      if (blobs && own && (await copyBlob(hash, blobs, own))) copied.push(hash)
      else missing.push(hash)
    }
    return { value, diagnostics: [] }
  })
  const copy = splitLines(assembled(source, parts, { from, identity: stat.identity }))
  if (before !== undefined) {
    const updated = await updateImport(factory, before, pass.all(copy))
    return { path: before, id: header.id, formerId: undefined, copied, missing, ...updated }
  }
  const path = keyOf(factory, header)
  await underLease(storage, path, async (lease) => {
    await lease.create(pass.all(copy))
    await lease.sync()
  })
  const formerId = header.id === log.header.id ? undefined : log.header.id
  return { path, id: header.id, status: "created", added: 0, rewritten: 0, formerId, copied, missing }
}

/** The key of the session that was imported from the same source. */
async function importedBefore(factory: SessionFactory, header: SessionHeader): Promise<string | undefined> {
  const key = isNameableId(header.id) ? await keyOfId(factory.storage, header.id) : undefined
  const stored = key === undefined ? undefined : await readHeader(factory.storage, key)
  const agent = agentOf(header)
  return agent !== undefined && stored && agentOf(stored) === agent ? key : undefined
}

/** The agent that a session was converted from. */
function agentOf({ source }: SessionHeader): unknown {
  return isJsonObject(source) ? source.agent : undefined
}

/** The header with an id that is free and can be part of a name. */
async function importedHeader(factory: SessionFactory, header: SessionHeader, cwd: string): Promise<SessionHeader> {
  const placed = { ...header, cwd }
  const isFree = isNameableId(header.id) && !(await keyOfId(factory.storage, header.id))
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

/** Whether a blob was copied: not where there is none to copy, or it is damaged. */
export async function copyBlob(hash: string, from: BlobStore, to: BlobStore): Promise<boolean> {
  if (!(await from.has(hash))) return false
  try {
    await to.put(from.openRead(hash))
    return true
  } catch (error) {
    if (isTreelogError(error, "BlobDamagedError") || isTreelogError(error, "BlobNotFoundError")) return false
    throw error
  }
}
