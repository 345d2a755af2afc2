import { randomUUID } from "node:crypto"
import { basename, dirname, join } from "node:path"
import {
  discard,
  FILE_MODE,
  type FsPort,
  nodeFs,
  type OpenFile,
  placeNew,
  statIfThere,
  withStorageErrors,
  writeWhole,
} from "@treelog-internal/fs"
import { UsageError } from "../errors/exit-codes.js"

// Crash argument. All is written to a temporary file beside the target, synced, and only then given its name: by a call
// that fails where the name is taken, or with `force` by a rename, which replaces the old file in one step. A crash before
// leaves a file whose name begins with a dot and ends in `.tmp`; a partial export never has its final name.

/** A file that appears under its name when it is complete. */
export interface NewFile {
  readonly bytes: number
  /** Resolves when the system took all of it. */
  write(content: string | Uint8Array): Promise<void>
  /** Gives the file its name. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

/** @throws UsageError when there is a file already, or no folder for one; StorageError */
export async function beginFile(path: string, force: boolean, fs: FsPort = nodeFs): Promise<NewFile> {
  const temp = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  const writing = <Result>(work: () => Promise<Result>): Promise<Result> => withStorageErrors(path, "write", work)
  let file: OpenFile | undefined = await writing(async () => {
    if (!force && (await statIfThere(fs, path))) throw taken(path)
    if (!(await statIfThere(fs, dirname(path)))) throw noFolder(path)
    return fs.open(temp, "wx", FILE_MODE)
  })
  let bytes = 0
  const close = async (): Promise<void> => {
    const open = file
    file = undefined
    await open?.close()
  }
  return {
    get bytes() {
      return bytes
    },
    async write(content) {
      const part = typeof content === "string" ? Buffer.from(content) : content
      await writing(async () => file && writeWhole(file, part, null))
      bytes += part.length
    },
    finish: () =>
      writing(async () => {
        await file?.sync()
        await close()
        if (force) return fs.rename(temp, path)
        if (!placeNew(fs, temp, path)) throw taken(path)
        discard(fs, temp)
      }),
    async discard() {
      try {
        await close()
      } finally {
        discard(fs, temp)
      }
    },
  }
}

function noFolder(path: string): UsageError {
  return new UsageError(`There is no folder ${dirname(path)} to write ${basename(path)} in: create it first.`, { path })
}

function taken(path: string): UsageError {
  return new UsageError(`${path} exists; --force overwrites it.`, { path })
}
