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
    if (this.#bytes.length < length) this.#bytes = Buffer.allocUnsafeSlow(length)
    return this.readInto(this.#bytes.subarray(0, length), offset)
  }

  /** Reads what the file has from `offset` on, as much as fits. @returns the part of `into` that was read @throws StorageError */
  readInto(into: Buffer, offset: number): Uint8Array {
    const bytes = into.subarray(0, Math.max(0, this.size - offset))
    try {
      return bytes.subarray(0, readWholeSync(this.#file, bytes, offset))
    } catch (error) {
      throw toStorageError(error, this.#path, "read")
    }
  }
}

/** Does something with an open file. @throws StorageError */
export function withFile<Result>(fs: FsPort, path: string, size: number, use: (bytes: OpenBytes) => Result): Result {
  const file = openFile(fs, path)
  try {
    return use(new OpenBytes(path, file, size))
  } finally {
    file.closeSync()
  }
}

/** The first bytes of a file: all, where it has no more. @param length bytes @throws StorageError */
export function headOfFile(fs: FsPort, path: string, length: number): Uint8Array {
  return withFile(fs, path, length, (bytes) => bytes.read(0, length))
}

function openFile(fs: FsPort, path: string): SyncFile {
  try {
    return uninterruptedSync(() => fs.openSync(path))
  } catch (error) {
    throw toStorageError(error, path, "read")
  }
}
