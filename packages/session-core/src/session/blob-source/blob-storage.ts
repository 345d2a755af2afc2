import { TreelogError } from "../../errors.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { noBytes, type ReadableStorage } from "../reader/read-stored.js"
import type { SourceBlob } from "./source-blob.js"

/** One blob as a storage that can only be read. A blob never changes: where its file did, reading fails. */
export class BlobStorage implements ReadableStorage {
  readonly key: string
  readonly known: StorageStat
  readonly #blob: SourceBlob

  /** @throws InvalidSessionError when there are no bytes */
  constructor(key: string, blob: SourceBlob) {
    if (blob.size === 0) throw noBytes(key)
    this.key = key
    this.known = { size: blob.size, modified: 0, identity: key }
    this.#blob = blob
  }

  async stat(): Promise<StorageStat> {
    return this.known
  }

  /** @throws StorageError when the file was changed or removed since it was given */
  async readRange(key: string, offset: number, length: number): Promise<Uint8Array> {
    try {
      return new Uint8Array(await this.#blob.slice(offset, Math.min(offset + length, this.known.size)).arrayBuffer())
    } catch (error) {
      const errno = error instanceof Error ? error.name : undefined
      const message = `${key} cannot be read any more: it was changed or removed since it was given. Give it again.`
      throw new TreelogError("StorageError", message, { key, operation: "readRange", errno }, { cause: error })
    }
  }
}
