import type { BlobStore, Clock, TreelogError } from "@treelog/session-core"
import { systemClock } from "@treelog/session-core/adapter"
import { type FsPort, nodeFs, withStorageErrors } from "@treelog-internal/fs"
import { BlobPlace } from "./blob-place.js"
import { FileBlobSource, sha256 } from "./file-blob-source.js"
import { type DamagedFile, quarantine } from "./quarantine.js"

/** What a store takes from its environment. */
export interface FileBlobStoreOptions {
  readonly fs?: FsPort
  readonly clock?: Clock
}

/**
 * Blobs as files: raw bytes, each under its SHA-256, in one folder (FORMAT.md, sections 1 and 7). The folder, and those
 * above it, are made when the first blob is put, for their owner alone, and so are the files. Any number of processes
 * may use one folder. Of a blob that is damaged, reading quarantines the file as `<hash>.damaged-<time>`, so that it can be put again.
 */
export class FileBlobStore extends FileBlobSource implements BlobStore {
  readonly #clock: Clock
  readonly #place: BlobPlace

  /** Touches no disk. */
  constructor(folder: string, { fs = nodeFs, clock = systemClock }: FileBlobStoreOptions = {}) {
    super(folder, { fs })
    this.#clock = clock
    this.#place = new BlobPlace({ fs, folder: this.folder, clock })
  }

  /**
   * Stores the bytes and resolves to their hash when they are on the disk. Bytes that are there already are not written
   * again, but count as put now.
   * @throws StorageError; what a source of chunks fails with comes out as it is, a system's error as the `cause` of a
   * StorageError
   */
  async put(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string> {
    return withStorageErrors(this.folder, "put a blob in", async () => {
      if (!(bytes instanceof Uint8Array)) return this.#place.write(bytes)
      // `slice` of a Buffer is not a copy.
      const own = new Uint8Array(bytes)
      const hash = sha256(own)
      return (await this.#place.renew(hash, own.length)) ? hash : this.#place.write([own], hash)
    })
  }

  protected override damaged(file: DamagedFile): Promise<TreelogError<"BlobDamagedError">> {
    return quarantine({ fs: this.fs, folder: this.folder, clock: this.#clock }, file)
  }
}
