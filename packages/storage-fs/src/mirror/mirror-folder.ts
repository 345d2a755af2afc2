import { join, resolve } from "node:path"
import { type FsPort, isErrno, lstatIfThere, makeFolder, storageError } from "@treelog-internal/fs"
import { nodeCrypto } from "../lazy-modules.js"
import { parseSegmentName, type Segment, segmentName } from "./segment.js"

/** The folder of one key. Nothing else in the mirror's folder is touched. */
const FOLDER = /^[0-9a-f]{32}$/
const TEMPORARY = /^[0-9a-f]{16}\.tmp$/

/** A temporary file of that age is of a process that died. Milliseconds. */
const ABANDONED = 60 * 60 * 1000

/** Space is made for so much more than is needed at once, so that the folder is scanned seldom. A part of the limit. */
const SPARE = 1 / 16

/** An object: what is stored under a key with an identity. */
export interface MirroredObject {
  readonly key: string
  readonly identity: string
}

/** The files of all mirrors: a folder for each key, which has the segments of its object. */
export class MirrorFolder {
  readonly fs: FsPort
  readonly #root: string
  readonly #maxBytes: number
  /** How much may be written before the folder is scanned again. Bytes. */
  #allowance = 0

  constructor(fs: FsPort, root: string, maxBytes: number) {
    this.fs = fs
    this.#root = resolve(root)
    this.#maxBytes = maxBytes
  }

  folderOf(key: string): string {
    return join(this.#root, hash(key).slice(0, 32))
  }

  pathOf(key: string, segment: Segment): string {
    return join(this.folderOf(key), segmentName(segment))
  }

  has(key: string, segment: Segment): boolean {
    return this.fs.statSync(this.pathOf(key, segment)) !== undefined
  }

  /** The files of the object. Those of another object that had the key are removed. */
  async segments({ key, identity }: MirroredObject): Promise<Segment[]> {
    const object = objectOf(identity)
    const found = (await this.#namesIn(this.folderOf(key))).map(parseSegmentName).filter((one) => one !== undefined)
    await this.remove(
      key,
      found.filter((segment) => segment.object !== object),
    )
    return found.filter((segment) => segment.object === object)
  }

  async remove(key: string, segments: readonly Segment[]): Promise<void> {
    for (const segment of segments) await this.#unlink(this.pathOf(key, segment))
  }

  /** Removes what there is of a key. */
  drop(key: string): Promise<void> {
    return this.#dropFolder(this.folderOf(key))
  }

  /** Marks the key as used: what was not used for the longest time is removed first. */
  async touch(key: string): Promise<void> {
    const now = Date.now() / 1000
    await unlessGone(this.fs.utimes(this.folderOf(key), now, now))
  }

  /**
   * Makes the folder of the key, and space for so many more bytes in it.
   * @throws StorageError when the limit does not allow them
   */
  async prepare(key: string, bytes: number): Promise<void> {
    makeFolder(this.fs, this.folderOf(key))
    if (bytes > this.#allowance) await this.#makeSpace(key, bytes)
    this.#allowance -= bytes
  }

  async #makeSpace(key: string, bytes: number): Promise<void> {
    const own = this.folderOf(key)
    const folders = (await this.#namesIn(this.#root)).filter((name) => FOLDER.test(name))
    const found = await Promise.all(folders.map((name) => this.#usageOf(join(this.#root, name))))
    let total = found.reduce((sum, { size }) => sum + size, 0)
    const wanted = bytes + Math.floor(this.#maxBytes * SPARE)
    for (const { folder, size } of found.sort((a, b) => a.used - b.used)) {
      if (total + wanted <= this.#maxBytes) break
      if (folder === own) continue
      await this.#dropFolder(folder)
      total -= size
    }
    this.#allowance = Math.min(wanted, this.#maxBytes - total)
    if (bytes > this.#allowance) throw storageError(key, "mirror", undefined, new Error("`maxBytes` are used up"))
  }

  async #usageOf(folder: string): Promise<{ folder: string; size: number; used: number }> {
    const stat = await lstatIfThere(this.fs, folder)
    let size = 0
    for (const name of await this.#namesIn(folder)) {
      const segment = parseSegmentName(name)
      if (segment) size += segment.end - segment.start
      else if (TEMPORARY.test(name)) size += await this.#temporary(join(folder, name))
    }
    return { folder, size, used: Number(stat?.mtimeNs ?? 0n) }
  }

  /** Its size; an abandoned one is removed. */
  async #temporary(path: string): Promise<number> {
    const stat = await lstatIfThere(this.fs, path)
    if (!stat) return 0
    if (Math.abs(Date.now() - Number(stat.mtimeNs / 1_000_000n)) < ABANDONED) return Number(stat.size)
    await this.#unlink(path)
    return 0
  }

  async #dropFolder(folder: string): Promise<void> {
    for (const name of await this.#namesIn(folder))
      if (parseSegmentName(name) || TEMPORARY.test(name)) await this.#unlink(join(folder, name))
    try {
      await this.fs.rmdir(folder)
    } catch (error) {
      // Another process writes into it.
      if (!isErrno(error, "ENOENT", "ENOTEMPTY", "EEXIST")) throw error
    }
  }

  async #namesIn(folder: string): Promise<string[]> {
    try {
      return (await this.fs.readdir(folder)).map(({ name }) => name)
    } catch (error) {
      if (isErrno(error, "ENOENT")) return []
      throw error
    }
  }

  #unlink(path: string): Promise<void> {
    return unlessGone(this.fs.unlink(path))
  }
}

/** Another process may have dropped the mirror. */
async function unlessGone(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error
  }
}

/** What stands for an identity in the names of segments. */
export function objectOf(identity: string): string {
  return hash(identity).slice(0, 16)
}

function hash(text: string): string {
  return nodeCrypto().createHash("sha256").update(text).digest("hex")
}
