import { FileRanges, type FsPort, toStorageError } from "@treelog-internal/fs"

/** Reads in a file while it is open. @throws StorageError */
export function withFile<Result>(fs: FsPort, path: string, use: (file: FileRanges) => Result): Result {
  const file = new FileRanges(fs, path, { toError: (error) => toStorageError(error, path, "read") })
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** So much of the start of a file is read to see whose it is. Bytes. */
export const HEAD = 64 * 1024

/** The start of a file: all of a short one. @throws StorageError */
export function headOfFile(fs: FsPort, path: string): Uint8Array {
  return withFile(fs, path, (file) => file.read(0, HEAD))
}
