import { dirname, join } from "node:path"
import {
  discard,
  FILE_MODE,
  type FsPort,
  makeDurableFolder,
  placeNew,
  statIfThere,
  syncFolder,
  withStorageErrors,
  writeChunks,
} from "@treelog-internal/fs"
import { token } from "../digest.js"
import { wholeFile } from "../whole-file.js"

/** Whether there is a file or a folder. @throws StorageError */
export function isThere(fs: FsPort, path: string): Promise<boolean> {
  return withStorageErrors(path, "read", async () => (await statIfThere(fs, path)) !== undefined)
}

/** The text of a file; undefined where there is none. @throws StorageError */
export function textIfThere(fs: FsPort, path: string): Promise<string | undefined> {
  return withStorageErrors(path, "read", async () =>
    (await statIfThere(fs, path)) ? wholeFile(fs, path).bytes.toString("utf8") : undefined,
  )
}

/** Writes a small file where there is none; one that is there stays as it is. @throws StorageError */
export function writeOnce(fs: FsPort, path: string, text: string): Promise<void> {
  return withStorageErrors(path, "write", async () => {
    if ((await statIfThere(fs, path)) === undefined)
      await withTemporary(fs, dirname(path), text, (temporary) => void placeNew(fs, temporary, path))
  })
}

/** Writes a file that no agent lists, which is there until it was placed. */
export async function withTemporary(
  fs: FsPort,
  folder: string,
  text: string,
  place: (temporary: string) => Promise<void> | void,
): Promise<void> {
  await makeDurableFolder(fs, folder)
  const temporary = join(folder, `.treelog-${token()}.tmp`)
  try {
    const file = fs.openSync(temporary, "wx", FILE_MODE)
    try {
      await writeChunks(file, [new TextEncoder().encode(text)])
      await file.sync()
    } finally {
      file.closeSync()
    }
    await place(temporary)
  } finally {
    discard(fs, temporary)
  }
  await syncFolder(fs, folder)
}
