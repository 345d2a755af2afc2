import { createHash } from "node:crypto"
import { join, resolve } from "node:path"
import { type BlobSource, type StoredBlob, TreelogError } from "@treelog/session-core"
import { assertHash } from "@treelog/session-core/adapter"
import {
  chunksOf,
  type FsPort,
  nodeFs,
  readWhole,
  statIfThere,
  toStorageError,
  withStorageErrors,
} from "@treelog-internal/fs"
import { kindOfName } from "./blob-names.js"
import { namesIn } from "./names-in.js"
import { openIfThere, withFile } from "./open-file.js"
import { type DamagedFile, damagedBlob } from "./quarantine.js"
import { identityOf, modifiedOf } from "./stored-stat.js"

/** Blobs as files that are only read: one that is damaged stays where it is. */
export class FileBlobSource implements BlobSource {
  readonly folder: string
  protected readonly fs: FsPort

  /** Touches no disk. */
  constructor(folder: string, { fs = nodeFs }: { readonly fs?: FsPort } = {}) {
    this.folder = resolve(folder)
    this.fs = fs
  }

  /**
   * The bytes, verified; undefined when there is no such blob.
   * @throws InvalidArgumentError for what is not a hash; BlobDamagedError when the bytes are not those that were stored;
   * StorageError
   */
  async get(hash: string): Promise<Uint8Array | undefined> {
    const path = this.#path(hash)
    return withStorageErrors(path, "read", async () => {
      const read = await withFile(this.fs, path, async (file, stat) => {
        const buffer = new Uint8Array(Number(stat.size))
        const bytes = buffer.subarray(0, await readWhole(file, buffer, 0))
        return { bytes, actual: sha256(bytes), identity: identityOf(stat) }
      })
      if (read !== undefined && read.actual !== hash) throw await this.damaged({ hash, ...read })
      return read?.bytes
    })
  }

  /** @throws InvalidArgumentError, StorageError */
  async has(hash: string): Promise<boolean> {
    return (await this.size(hash)) !== undefined
  }

  /** Bytes of the blob; undefined when there is none. @throws InvalidArgumentError, StorageError */
  async size(hash: string): Promise<number | undefined> {
    const path = this.#path(hash)
    const stat = await withStorageErrors(path, "stat", () => statIfThere(this.fs, path))
    return stat?.isFile() ? Number(stat.size) : undefined
  }

  /** Every blob, in no particular order. Other files in the folder are skipped. @throws StorageError */
  async *list(): AsyncGenerator<StoredBlob> {
    try {
      for (const name of await namesIn(this.fs, this.folder)) {
        if (kindOfName(name) !== "blob") continue
        const stat = await statIfThere(this.fs, join(this.folder, name))
        if (stat?.isFile()) yield { hash: name, size: Number(stat.size), modified: modifiedOf(stat) }
      }
    } catch (error) {
      throw toStorageError(error, this.folder, "list")
    }
  }

  /**
   * The bytes in pieces, verified while they are read: the caller has seen all of them when damage is reported, before the stream
   * is done.
   * @throws BlobNotFoundError, InvalidArgumentError, BlobDamagedError (as `get`), StorageError
   */
  async *openRead(hash: string): AsyncGenerator<Uint8Array> {
    const path = this.#path(hash)
    try {
      const file = await openIfThere(this.fs, path)
      try {
        const stat = await file?.stat({ bigint: true })
        if (file === undefined || !stat?.isFile()) throw notFound(hash)
        const digest = createHash("sha256")
        for await (const chunk of chunksOf(file, { fresh: true })) {
          digest.update(chunk)
          yield chunk
        }
        const actual = digest.digest("hex")
        if (actual !== hash) throw await this.damaged({ hash, actual, identity: identityOf(stat) })
      } finally {
        await file?.close()
      }
    } catch (error) {
      throw toStorageError(error, path, "read")
    }
  }

  /** The only way from a hash to a path. */
  #path(hash: string): string {
    assertHash(hash)
    return join(this.folder, hash)
  }

  /** What reading a file fails with whose bytes do not have its hash. */
  protected async damaged({ hash, actual }: DamagedFile): Promise<TreelogError<"BlobDamagedError">> {
    return damagedBlob(hash, actual)
  }
}

function notFound(hash: string): TreelogError<"BlobNotFoundError"> {
  return new TreelogError("BlobNotFoundError", `There is no blob ${hash}.`, { hash })
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}
