import { basename, join } from "node:path"
import {
  FILE_MODE,
  type FsPort,
  isErrno,
  isStorageFault,
  lstatIfThere,
  makeFolder,
  openPlainSync,
  READ_NO_LINK,
  readWholeSync,
  TemporaryFiles,
  writeWhole,
} from "@treelog-internal/fs"
import { nodeZlib } from "./lazy-modules.js"
import { newToken } from "./lock-file.js"
import type { SummaryRow } from "./summary-row.js"
import { folderOfTable, formatTable, parseTable } from "./summary-table.js"
import { tempName } from "./temp-file.js"

// Why a crash, a full disk and other processes do no harm. A cache file is written under a temporary name and renamed over the
// old one. It is not synced, so a power failure may leave any bytes under the name: the checksum shows it. Two processes that
// write the same file at a time overwrite each other with what was true of its sessions; what the loser knew is found out again.

const SUFFIX = ".list"
const TEMP_SUFFIX = ".tmp"

/** As much of a folder's name as stands in that of its cache file, for people. Characters. */
const NAME = 80

/** A temporary file of that age is of a process that died. Milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000

export function tablesFolder(cacheDir: string): string {
  return join(cacheDir, "lists")
}

/** The files of the list cache: one for each folder of sessions. */
export class TableFiles {
  readonly #fs: FsPort
  readonly #cacheDir: string

  constructor(fs: FsPort, cacheDir: string) {
    this.#fs = fs
    this.#cacheDir = tablesFolder(cacheDir)
  }

  /** Nothing where there is no file, or none that can be used. Fails only where the system does. */
  async read(folder: string): Promise<{ rows: Map<string, SummaryRow>; length: number }> {
    const bytes = this.#bytesOf(this.#pathOf(folder))
    const rows = bytes && parseTable(folder, bytes)
    return { rows: rows ?? new Map(), length: rows ? bytes.length : 0 }
  }

  /** Resolves to the length of what was written, in bytes. */
  async write(folder: string, rows: ReadonlyMap<string, SummaryRow>): Promise<number> {
    const path = this.#pathOf(folder)
    const bytes = formatTable(folder, rows)
    makeFolder(this.#fs, this.#cacheDir)
    const temp = tempName(path, newToken())
    try {
      await this.#put(temp, bytes)
      await this.#fs.rename(temp, path)
    } catch (error) {
      new TemporaryFiles(this.#fs).discard(temp)
      throw error
    }
    return bytes.length
  }

  /**
   * Removes the files about folders of whose sessions none is left, and what processes left that died while they wrote.
   * @param known folders that need not be checked
   */
  async sweep(known: ReadonlySet<string>, now: number): Promise<void> {
    const inUse = new Set([...known].map((folder) => basename(this.#pathOf(folder))))
    const faults: unknown[] = []
    for (const { name } of await this.#fs.readdir(this.#cacheDir)) {
      if (inUse.has(name)) continue
      const path = join(this.#cacheDir, name)
      try {
        const isUseless = name.endsWith(SUFFIX) ? await this.#isOfNothing(path) : await this.#isAbandoned(path, now)
        if (isUseless) new TemporaryFiles(this.#fs).discard(path)
      } catch (error) {
        // One that cannot be read keeps no other from being removed.
        if (!isStorageFault(error)) throw error
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  }

  #pathOf(folder: string): string {
    // That two folders have the same name here costs time, no more: the file says which one it is about.
    const sum = nodeZlib().crc32(folder).toString(16).padStart(8, "0")
    return join(
      this.#cacheDir,
      `${sum}-${basename(folder)
        .replace(/[^\w-]/g, "_")
        .slice(-NAME)}${SUFFIX}`,
    )
  }

  /** Without promises, as a list stats its sessions. Undefined where there is no file. A pipe, a device or a link that has its name is not read. */
  #bytesOf(path: string): Buffer | undefined {
    try {
      const { file, stat } = openPlainSync(this.#fs, path, READ_NO_LINK)
      try {
        const bytes = Buffer.allocUnsafeSlow(Number(stat.size))
        return bytes.subarray(0, readWholeSync(file, bytes, 0))
      } finally {
        file.closeSync()
      }
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined
      throw error
    }
  }

  async #put(temp: string, bytes: Buffer): Promise<void> {
    const file = await this.#fs.open(temp, "wx", FILE_MODE)
    try {
      await writeWhole(file, bytes, null)
    } finally {
      await file.close()
    }
  }

  async #isOfNothing(path: string): Promise<boolean> {
    const bytes = this.#bytesOf(path)
    const folder = bytes && folderOfTable(bytes)
    const rows = folder === undefined ? undefined : parseTable(folder, bytes as Buffer)
    if (folder === undefined || rows === undefined) return true
    for (const name of rows.keys()) if (await lstatIfThere(this.#fs, join(folder, name))) return false
    return true
  }

  async #isAbandoned(path: string, now: number): Promise<boolean> {
    const found = path.endsWith(TEMP_SUFFIX) ? await lstatIfThere(this.#fs, path) : undefined
    return found !== undefined && now - Number(found.mtimeNs / 1_000_000n) > ABANDONED
  }
}
