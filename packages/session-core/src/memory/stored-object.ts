import { TreelogError } from "../errors.js"
import type { StorageStat } from "../ports/session-source.js"
import type { Chunks } from "../ports/session-storage.js"
import { sessionChanged, sessionExists } from "../ports/stored-errors.js"

/** An object of a storage in memory or in a database. Its bytes are stored under its identity. */
export interface StoredObject {
  readonly stat: StorageStat
  /** True for backups, which are not listed. */
  readonly hidden: boolean
}

/** The objects as one transaction sees and changes them. */
export interface ObjectTable {
  get(key: string): StoredObject | undefined | Promise<StoredObject | undefined>
  /** The keys of the objects that are not hidden. */
  keys(): string[] | Promise<string[]>
  /** Reads a range of bytes; fewer only if the object ends before. */
  read(stat: StorageStat, offset: number, length: number): Uint8Array | Promise<Uint8Array>
  put(key: string, object: StoredObject): void
  delete(key: string): void
  /** Adds bytes at the end of those of an object; `stat` is its state before. */
  addBytes(stat: StorageStat, pieces: readonly Uint8Array[]): void | Promise<void>
  deleteBytes(identity: string): void
}

/** A key that was taken for writing. */
export interface Hold {
  /** Called before each use. False when the hold has lapsed; the key is then free, or another holds it. */
  renew(): boolean
  release(): Promise<void>
  /** `release` without promises, where the storage writes without them. */
  releaseSync?(): void
}

/** Returns the object under the key if it is the one that the caller expects. @throws SessionChangedError */
export function assertUnchanged(key: string, object: StoredObject | undefined, expected: StorageStat): StoredObject {
  if (object === undefined) throw sessionChanged(key, "gone")
  assertFound(key, object, expected.identity)
  if (object.stat.size < expected.size) throw sessionChanged(key, "shrunk")
  if (object.stat.size > expected.size) throw sessionChanged(key, "grown")
  return object
}

/** Returns the object under the key, if it has the identity. @throws SessionNotFoundError, SessionChangedError */
export function assertFound(key: string, object: StoredObject | undefined, identity?: string): StoredObject {
  if (object === undefined)
    throw new TreelogError("SessionNotFoundError", `Nothing is stored under ${key}`, { ref: key })
  if (identity !== undefined && object.stat.identity !== identity) throw sessionChanged(key, "replaced")
  return object
}

export function assertFree(key: string, object: StoredObject | undefined): void {
  if (object !== undefined) throw sessionExists(key)
}

/** Copies of the chunks. */
export async function collect(chunks: Chunks): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(new Uint8Array(chunk))
  return pieces
}
