import { join } from "node:path"
import type { Clock } from "@treelog/session-core"
import { discard, type FsPort, isGone, statIfThere, syncFolder } from "@treelog-internal/fs"
import { hashOfFile, withFile } from "./open-file.js"
import { identityOf } from "./stored-stat.js"
import { type TempFile, writeTemp } from "./temp-file.js"

// Crash argument. A blob gets its name from a file that is whole and on the disk, by one call; the name is durable when
// the folder is synced, and only then does `put` resolve and may a line name it. A crash before that call leaves a
// temporary file, which only sweeps read; after it, the whole blob. So no half file of ours is ever
// under a hash.
//
// Other programs that share the folder may write in place, though, and may have died in the middle. What is there
// already is therefore read once, compared, and synced, before this store says for the first time that it has it.
//
// The one call is a rename, not a link that spares an existing file: bytes under one hash are the same bytes, so that
// what a rename replaces, when two put at the same time, is worth as much, and what is damaged gets replaced. It leaves
// no second name behind.
//
// A blob that is put again is not written again, but it becomes as young as a new one, which keeps a sweep away until
// the line that names it is written. When a sweep takes it in just this moment, setting the time fails, and it is
// written after all.

/** Puts blobs where they belong. */
export class BlobPlace {
  readonly #fs: FsPort
  readonly #folder: string
  readonly #clock: Clock
  /** What this object read, compared and synced: the identities of files, by hash. */
  readonly #settled = new Map<string, string>()

  constructor(parts: { fs: FsPort; folder: string; clock: Clock }) {
    this.#fs = parts.fs
    this.#folder = parts.folder
    this.#clock = parts.clock
  }

  /** Writes a blob that is not there; of one with a known hash, `renew` has returned false. */
  async write(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, known?: string): Promise<string> {
    const temp = await writeTemp({ fs: this.#fs, folder: this.#folder, clock: this.#clock }, chunks, known)
    let isTemp = true
    try {
      if (known === undefined && (await this.renew(temp.hash, temp.size))) return temp.hash
      isTemp = await this.#place(temp)
    } finally {
      if (isTemp) discard(this.#fs, temp.path)
    }
    return temp.hash
  }

  /** Whether the blob is there, whole and durable; then it counts as put now. */
  async renew(hash: string, size: number): Promise<boolean> {
    const path = join(this.#folder, hash)
    const stat = await statIfThere(this.#fs, path)
    if (!stat?.isFile() || Number(stat.size) !== size) return false
    const isSettled = this.#settled.get(hash) === identityOf(stat) || (await this.#settle(path, hash))
    return isSettled && this.#touch(path)
  }

  /** Resolves to whether the temporary file is still there: another writer was faster. */
  async #place({ path: temp, hash, size }: TempFile): Promise<boolean> {
    try {
      await this.#fs.rename(temp, join(this.#folder, hash))
    } catch (error) {
      // Windows replaces no file that a process has open. A network may have lost the answer.
      if (await this.renew(hash, size)) return true
      throw error
    }
    await syncFolder(this.#fs, this.#folder)
    return false
  }

  async #settle(path: string, hash: string): Promise<boolean> {
    const identity = await withFile(this.#fs, path, async (file, stat) => {
      if ((await hashOfFile(file)) !== hash) return undefined
      // Windows syncs only what is open for writing; what was read there is as durable as the system made it.
      if (process.platform !== "win32") await file.sync()
      return identityOf(stat)
    })
    if (identity === undefined) return false
    await syncFolder(this.#fs, this.#folder)
    this.#settled.set(hash, identity)
    return true
  }

  async #touch(path: string): Promise<boolean> {
    const now = this.#clock.now() / 1000
    try {
      await this.#fs.utimes(path, now, now)
      return true
    } catch (error) {
      if (isGone(error)) return false
      throw error
    }
  }
}
