import type { StorageStat } from "@treelog/session-core"
import type { Chunks } from "@treelog/session-core/adapter"
import { type FsPort, placeNew, type TemporaryFiles } from "@treelog-internal/fs"
import { sessionExists } from "./session-errors.js"
import { tempName, writeTemp } from "./temp-file.js"

// Crash argument. The name is given to a file that is whole and on the disk already, by one call that fails where the
// name is taken. Before that call a crash leaves a temporary file, which no listing shows and the next holder of the
// lease removes; after it, the whole session, under a name that is durable once the folder is synced.

export interface NewFile {
  readonly fs: FsPort
  readonly path: string
  readonly key: string
  readonly token: string
  readonly identities: ReadonlySet<string>
  readonly temporaryFiles: TemporaryFiles
}

/**
 * Stores a new session under its name, whole or not at all.
 * @throws SessionExistsError
 */
export async function createFile(file: NewFile, chunks: Chunks): Promise<StorageStat> {
  const { fs, path, key, temporaryFiles } = file
  const temp = tempName(path, file.token)
  try {
    const stat = await writeTemp(fs, temp, chunks, { unlike: file.identities })
    if (!(await placeNew(fs, temp, path))) throw sessionExists(key)
    return stat
  } finally {
    await temporaryFiles.discard(temp)
  }
}
