import { type FsPort, readWholeSync, type SyncFile, toStorageError, uninterruptedSync } from "@treelog-internal/fs"
import type { ByteSource } from "../source/byte-source.js"

/** An open file, of a size that it had at some time. */
export class OpenBytes implements ByteSource {
  readonly size: number
  readonly #path: string
  readonly #file: SyncFile
  /** What was read last: new memory for each read takes longer than the reading. */
  #bytes = Buffer.alloc(0)

  constructor(path: string, file: SyncFile, size: number) {
    this.#path = path
    this.#file = file
    this.size = size
  }

  /** @throws StorageError */
  read(offset: number, length: number): Uint8Array {
    const wanted = Math.max(0, Math.min(length, this.size - offset))
    if (this.#bytes.length < wanted) this.#bytes = Buffer.allocUnsafeSlow(wanted)
    return readInto(this.#bytes.subarray(0, wanted), this.#file, this.#path, offset)
  }

  /** Reads what the file has from `offset` on, as much as fits. @returns the part of `into` that was read @throws StorageError */
  readInto(into: Buffer, offset: number): Uint8Array {
    return readInto(into.subarray(0, Math.max(0, this.size - offset)), this.#file, this.#path, offset)
  }
}

/** A file that is opened for each read: of the transcripts of sub-agents there can be more than a process may have open. */
export class FileBytes implements ByteSource {
  readonly size: number
  readonly #fs: FsPort
  readonly #path: string

  constructor(fs: FsPort, path: string, size: number) {
    this.#fs = fs
    this.#path = path
    this.size = size
  }

  /** @throws StorageError */
  read(offset: number, length: number): Uint8Array {
    const file = openFile(this.#fs, this.#path)
    try {
      const wanted = Math.max(0, Math.min(length, this.size - offset))
      return readInto(Buffer.allocUnsafeSlow(wanted), file, this.#path, offset)
    } finally {
      file.closeSync()
    }
  }
}

/** @throws StorageError */
export function openFile(fs: FsPort, path: string): SyncFile {
  try {
    return uninterruptedSync(() => fs.openSync(path))
  } catch (error) {
    throw toStorageError(error, path, "read")
  }
}

function readInto(bytes: Buffer, file: SyncFile, path: string, offset: number): Uint8Array {
  try {
    return bytes.subarray(0, readWholeSync(file, bytes, offset))
  } catch (error) {
    throw toStorageError(error, path, "read")
  }
}
