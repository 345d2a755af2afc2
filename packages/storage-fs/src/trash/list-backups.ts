import { join, sep } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { type FsPort, isErrno, lstatIfThere, toStorageError } from "@treelog-internal/fs"
import type { Found } from "../list-sessions.js"
import type { TrashedSession } from "./list-trash.js"

/** What repairs and migrations keep beside a session, and what slimming and inflating kept in earlier versions. */
const BACKUP = /^(.+\.jsonl)\.(?:v[12]|repair|slim|inflate)\.bak(?:\.\d+)?(?:\.changes(?:\.\d+)?\.json)?$/

/** The session that a file is a backup of; undefined for any other file. */
export function sessionOfBackup(path: string): string | undefined {
  return BACKUP.exec(path)?.[1]
}

/** Names the backups in the folders, in no particular order; `deleted` is when each was made, or last moved. */
export async function* listBackups(
  fs: FsPort,
  folders: AsyncIterable<Found>,
  signal: AbortSignal | undefined,
): AsyncGenerator<TrashedSession & { readonly size: number }> {
  for await (const { path: folder, error } of folders) {
    // A list of the trash names what cannot be read.
    if (error !== undefined) continue
    try {
      for (const { name } of await fs.readdir(folder)) {
        signal?.throwIfAborted()
        const path = join(folder, sep) + name
        const from = sessionOfBackup(path)
        const stat = from === undefined ? undefined : await lstatIfThere(fs, path)
        if (from !== undefined && stat?.isFile())
          yield { path, from, deleted: Number(stat.ctimeNs / 1_000_000n), size: Number(stat.size) }
      }
    } catch (error) {
      if (isErrno(error, "ENOENT")) continue
      const fault = toStorageError(error, folder, "list")
      if (!isTreelogError(fault)) throw error
      yield { path: folder, from: folder, deleted: 0, size: 0, error: fault }
    }
  }
}
