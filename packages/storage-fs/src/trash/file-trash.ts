import { join, sep } from "node:path"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { type FsPort, isErrno, lstatIfThere, toStorageError } from "@treelog-internal/fs"
import type { Found } from "../list/list-sessions.js"
import { newToken } from "../lock/lock-file.js"
import type { OrphanRemover } from "../orphans.js"
import { FileLease } from "../write/file-lease.js"
import { removeTrashed, restoreFromTrash } from "./leave-trash.js"
import { listTrash, type TrashedSession } from "./list-trash.js"
import { FolderNames, type NamesBeside, namesBeside } from "./names-beside.js"
import { type PutOptions, putInTrash } from "./put-in-trash.js"
import { assertNotInTrash, originOf } from "./trash-place.js"

/**
 * Deleted sessions, until they are restored or removed for good (FORMAT.md, section 1).
 * Each of its writes holds the session, so no session is moved while it is written.
 */
export class FileTrash {
  readonly #fs: FsPort
  readonly #orphans: OrphanRemover
  readonly #folders: (cwd: string | undefined) => AsyncIterable<Found>

  readonly #beside: NamesBeside

  /** @param folders names the folders that may hold sessions of a working directory, or of all */
  constructor(
    fs: FsPort,
    orphans: OrphanRemover,
    folders: (cwd: string | undefined) => AsyncIterable<Found>,
    beside = namesBeside(fs),
  ) {
    this.#fs = fs
    this.#orphans = orphans
    this.#folders = folders
    this.#beside = beside
  }

  /**
   * A trash for many calls in a row: it reads each folder once, and not again for every session in it. Make one
   * for each run; a backup that is made during the run is not moved.
   */
  batch(): FileTrash {
    return new FileTrash(this.#fs, this.#orphans, this.#folders, new FolderNames(this.#fs))
  }

  /**
   * Moves a session to the trash, with its artifacts and what was kept of it. Resolves to its path there.
   * @throws SessionNotFoundError, SessionBusyError, SessionChangedError when it does not have the size that is given,
   * InvalidArgumentError for what is in the trash already, StorageError
   */
  async put(key: string, options: PutOptions): Promise<string> {
    assertNotInTrash(key)
    const wish = { key, operation: "move to the trash", toRemove: true }
    const put = { ...options, token: newToken() }
    return this.#holding(wish, () => putInTrash(this.#fs, key, this.#beside, put))
  }

  /** What is in the trash, in no particular order. With `cwd`, of the folders that may hold sessions of that directory. */
  list({
    cwd,
    signal,
  }: {
    cwd?: string | undefined
    signal?: AbortSignal | undefined
  } = {}): AsyncIterable<TrashedSession> {
    return listTrash(this.#fs, this.#folders(cwd), signal)
  }

  /** The backups that repairs and migrations keep beside sessions, as if each had been deleted when it was made. */
  backups({ cwd, signal }: Parameters<FileTrash["list"]>[0] = {}): ReturnType<typeof listBackups> {
    return listBackups(this.#fs, this.#folders(cwd), signal)
  }

  /**
   * Removes a backup for good. One that is gone already is no error.
   * @throws SessionBusyError, StorageError, InvalidArgumentError for what is no backup
   */
  async removeBackup(path: string): Promise<void> {
    const key = sessionOfBackup(path)
    if (key === undefined) {
      const message = `${path} is not a backup that treelog keeps beside a session.`
      throw new TreelogError("InvalidArgumentError", message, { argument: "path", value: path })
    }
    const wish = { key, operation: "remove", toRemove: false }
    return this.#holding(wish, () => this.#fs.rm(path, { recursive: true, force: true }))
  }

  /**
   * Puts a session back where it was, with all that went with it. Resolves to that path.
   * @param path where it is in the trash
   * @throws SessionNotFoundError, SessionExistsError when something is there by now, SessionBusyError, StorageError,
   * InvalidArgumentError for a path that is not in the trash
   */
  async restore(path: string): Promise<string> {
    return this.#holding({ key: originOf(path), operation: "restore", toRemove: false }, () =>
      restoreFromTrash(this.#fs, path),
    )
  }

  /** Removes a session in the trash for good. @throws as `restore` does, but for SessionExistsError */
  async remove(path: string): Promise<void> {
    const wish = { key: originOf(path), operation: "remove", toRemove: true }
    return this.#holding(wish, () => removeTrashed(this.#fs, path, this.#beside))
  }

  async #holding<T>(
    { key, operation, toRemove }: { key: string; operation: string; toRemove: boolean },
    action: () => Promise<T>,
  ): Promise<T> {
    const wish = { access: "exclusive", waitMs: 0, toRemove } as const
    const lease = await FileLease.take(this.#fs, key, wish, this.#orphans)
    try {
      return await lease.during(operation, action)
    } finally {
      // A lock that this process left behind would stand in its own way: what could not be removed is tried once more.
      await lease.release().catch(() => lease.release())
    }
  }
}

/** What repairs and migrations keep beside a session, and what slimming and inflating kept in earlier versions. */
const BACKUP = /^(.+\.jsonl)\.(?:v[12]|repair|slim|inflate)\.bak(?:\.\d+)?(?:\.changes(?:\.\d+)?\.json)?$/

/** The session that a file is a backup of; undefined for any other file. */
function sessionOfBackup(path: string): string | undefined {
  return BACKUP.exec(path)?.[1]
}

/** Names the backups in the folders, in no particular order; `deleted` is when each was made, or last moved. */
async function* listBackups(
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
