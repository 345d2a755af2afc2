import { constants } from "node:fs"
import type { StorageStat } from "@treelog/session-core"
import {
  type FileStat,
  type FsPort,
  identityOf,
  isErrno,
  type OpenFile,
  readWhole,
  sessionChanged,
  storedStat,
  writeWhole,
} from "@treelog-internal/fs"
import { expectUnchanged, statStored } from "./stored-stat.js"

// Enough for a long turn with large tool results; more is synced before it is added to.
const FULL_BYTES = 16 * 1024 * 1024

// Crash argument.
//
// One descriptor is kept, opened for appending and never creating. The kernel puts every write at the end of the file,
// so no stored byte is ever written over, whatever else writes to it. Before each append, the name, the descriptor and
// what the caller expects must be one file: nothing goes to a file that was replaced or removed.
//
// A crash or a failing disk can leave a first part of an append. If we live, that part is cut off at once, and if that
// fails too, before the next append or when the lease ends; so a part is never followed by the whole, and nothing is
// there twice. Only a first part of what we meant to write is cut: what another program added stays. If we die, the
// part is a torn last line, which readers report and the next writer closes.
//
// What was appended is on the disk when a sync resolves. After a sync that failed, the kernel may have dropped the
// bytes from its cache and call the file clean, so that the next sync would succeed and mean nothing. The bytes since
// the last good sync are therefore kept, and written again in their place before the next one.

/** Appends to one file, and makes it durable. */
export class AppendFile {
  readonly #fs: FsPort
  readonly #path: string
  readonly #key: string
  readonly #unsynced = new UnsyncedBytes()
  #held: { readonly file: OpenFile; readonly identity: string } | undefined
  #torn: { readonly from: number; readonly bytes: Uint8Array } | undefined

  constructor(fs: FsPort, path: string, key: string) {
    this.#fs = fs
    this.#path = path
    this.#key = key
  }

  /** All of the bytes, or none. Resolves to what is stored then. */
  async append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    if (this.#unsynced.isFull) await this.sync()
    await this.heal()
    const found = storedStat(expectUnchanged(this.#fs, this.#path, this.#key, expected))
    const file = await this.#open(found.identity)
    if (bytes.length === 0) return found
    try {
      await writeWhole(file, bytes, null)
      const stat = storedStat(await this.#statHeld(file, found.identity))
      this.#unsynced.add(await this.#placeOf(bytes, file, found.size, stat.size), bytes)
      return stat
    } catch (error) {
      this.#torn = { from: found.size, bytes: new Uint8Array(bytes) }
      // What fails here is tried again before the next append, which then reports it.
      await Promise.allSettled([this.heal()])
      throw error
    }
  }

  /** Cuts off what a failed append left. */
  async heal(): Promise<void> {
    if (this.#torn === undefined || this.#held === undefined) return
    await truncateTorn(this.#held.file, this.#torn.from, this.#torn.bytes)
    this.#torn = undefined
  }

  /**
   * Resolves when all that was appended outlives a crash.
   * @throws SessionChangedError when it was written to a file that no longer has the name
   */
  async sync(): Promise<void> {
    if (this.#unsynced.isEmpty || this.#held === undefined) return
    if (this.#unsynced.isSuspect) await this.#writeAgain(this.#held.identity)
    this.#unsynced.isSuspect = true
    await this.#held.file.datasync()
    this.#unsynced.isSuspect = false
    const named = identityOf(statStored(this.#fs, this.#path, this.#key))
    if (named !== this.#held.identity) throw sessionChanged(this.#key, "replaced")
    this.#unsynced.clear()
  }

  /** Leaves nothing half done, and closes the file. */
  async settle(): Promise<void> {
    await this.heal()
    await this.sync()
    await this.drop()
  }

  /** Closes the file as it is. */
  async drop(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    this.#torn = undefined
    this.#unsynced.clear()
    await held?.file.close()
  }

  async #open(identity: string): Promise<OpenFile> {
    if (this.#held !== undefined && this.#held.identity !== identity) await this.drop()
    if (this.#held === undefined) {
      const file = await this.#opened(constants.O_RDWR | constants.O_APPEND, identity)
      this.#held = { file, identity }
    }
    return this.#held.file
  }

  /** Opens what has the name now, if that is the file with the identity. */
  async #opened(flags: number, identity: string): Promise<OpenFile> {
    const file = await this.#openNamed(flags)
    try {
      if (identityOf(await file.stat({ bigint: true })) !== identity) throw sessionChanged(this.#key, "replaced")
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async #openNamed(flags: number): Promise<OpenFile> {
    try {
      return await this.#fs.open(this.#path, flags)
    } catch (error) {
      if (isErrno(error, "ENOENT")) throw sessionChanged(this.#key, "gone")
      throw error
    }
  }

  /** By its name, which takes a tenth of the time, while that leads to the open file. */
  async #statHeld(file: OpenFile, identity: string): Promise<FileStat> {
    const named = this.#fs.statSync(this.#path)
    return named && identityOf(named) === identity ? named : file.stat({ bigint: true })
  }

  /** Where the bytes went: to the end that we knew, unless a program that knows no lease wrote at the same moment. */
  async #placeOf(bytes: Uint8Array, file: OpenFile, before: number, after: number): Promise<number> {
    if (after === before + bytes.length) return before
    const written = Buffer.alloc(Math.max(0, after - before))
    await readWhole(file, written, before)
    const place = written.indexOf(bytes)
    if (place === -1) throw sessionChanged(this.#key, after < before ? "shrunk" : "grown")
    return before + place
  }

  async #writeAgain(identity: string): Promise<void> {
    const file = await this.#opened(constants.O_RDWR, identity)
    try {
      for (const { offset, bytes } of this.#unsynced.pieces) await writeWhole(file, bytes, offset)
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

/** Cuts the file at `from`, if what follows there is a first part of the bytes and nothing else. */
async function truncateTorn(file: OpenFile, from: number, bytes: Uint8Array): Promise<void> {
  const tail = Number((await file.stat({ bigint: true })).size) - from
  if (tail <= 0 || tail > bytes.length) return
  const found = new Uint8Array(tail)
  const length = await readWhole(file, found, from)
  if (Buffer.compare(found.subarray(0, length), bytes.subarray(0, tail)) === 0) await file.truncate(from)
}

/** What was appended since the last good sync, with its place, so that it can be written again. */
class UnsyncedBytes {
  readonly pieces: { readonly offset: number; readonly bytes: Uint8Array }[] = []
  /** A sync has failed: the system may have forgotten the bytes. */
  isSuspect = false
  #size = 0

  get isEmpty(): boolean {
    return this.pieces.length === 0
  }

  get isFull(): boolean {
    return this.#size >= FULL_BYTES
  }

  add(offset: number, bytes: Uint8Array): void {
    this.pieces.push({ offset, bytes: new Uint8Array(bytes) })
    this.#size += bytes.length
  }

  clear(): void {
    this.pieces.length = 0
    this.#size = 0
    this.isSuspect = false
  }
}
