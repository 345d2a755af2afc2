import { constants } from "node:fs"
import { Steps, type StorageStat, sessionChanged } from "@treelog/session-core/adapter"
import {
  type FileStat,
  type FsPort,
  identityOf,
  isErrno,
  isSameFile,
  isStorageFault,
  readWholeSync,
  type SyncFile,
  writeWholeSync,
} from "@treelog-internal/fs"
import { statStored } from "../stored-stat.js"
import type { MadeFile } from "./temp-file.js"
import { UnsyncedBytes } from "./unsynced-bytes.js"

/** For so long the name of a file need not be checked again. Milliseconds. */
const FRESH_MS = 1
const NEVER = -Infinity
const APPENDING = constants.O_RDWR | constants.O_APPEND

// Crash argument.
//
// One descriptor is kept, opened for appending and never creating. The kernel puts every write at the end of the file,
// so no stored byte is ever written over, whatever else writes to it. Before an append, the name, the descriptor and what
// the caller expects must be one file; among appends that follow each other within a millisecond that is checked once, since a
// stat of the name costs as much as the write. After each write the descriptor shows whether the file still has a name, and what others appended: what
// went to a file without a name is not stored, and the caller hears of it. Between the check and the end of the write nothing
// else of this process runs; only a sync is waited for with a promise.
//
// A crash or a failing disk can leave a first part of an append. If we live, that part is cut off at once, and if that
// fails too, before the next append or when the lease ends; so a part is never followed by the whole, and nothing is
// there twice. Only a first part of what we meant to write is cut: what another program added stays. If we die, the
// part is a torn last line, which readers report and the next writer closes.
//
// What was appended is on the disk when a sync resolves, and it is in the file that has the name then. After a sync that
// failed, the kernel may have dropped the bytes from its cache and call the file clean, so that the next sync would succeed
// and mean nothing. The bytes since the last good sync are therefore kept, and written again in their place before the next one.

interface BegunSync {
  readonly file: SyncFile
  readonly identity: string
  /** How large the file is at least. */
  readonly size: number
  readonly pieces: ReturnType<UnsyncedBytes["begin"]>
}

/** Appends to one file, and makes it durable. */
export class AppendFile {
  readonly #fs: FsPort
  readonly #path: string
  readonly #key: string
  readonly #unsynced = new UnsyncedBytes()
  #held: { readonly file: SyncFile; readonly stat: FileStat; readonly identity: string } | undefined
  /** When the name was checked last, and how large the file is since then. */
  #checkedAt = NEVER
  #checkedSize = 0
  #torn: { readonly from: number; readonly bytes: Uint8Array } | undefined

  constructor(fs: FsPort, path: string, key: string) {
    this.#fs = fs
    this.#path = path
    this.#key = key
  }

  /**
   * All of the bytes, or none. Returns what is stored then.
   * @param isSyncedHere keeps the bytes until they were synced, in case that has to be repeated
   */
  append(bytes: Uint8Array, expected: StorageStat, isSyncedHere = true): StorageStat {
    if (this.#unsynced.isFull) Steps.runNow(this.sync())
    if (this.#torn) this.heal()
    const file = this.#fileOf(expected)
    if (bytes.length === 0) return expected
    const { size: from, identity } = expected
    try {
      const written = writeWholeSync(file, bytes, null)
      const stat = file.statSync({ bigint: true })
      if (stat.nlink === 0n) this.#assertNamed(identity)
      const size = Number(stat.size)
      this.#checkedSize = from + written
      const at = size === from + written ? from : this.#placeOf(bytes, file, from, size)
      if (isSyncedHere) this.#unsynced.add(at, bytes)
      return { size, identity, modified: Number(stat.mtimeNs) / 1e6 }
    } catch (error) {
      this.#checkedAt = NEVER
      this.#torn = { from, bytes: new Uint8Array(bytes) }
      try {
        this.heal()
      } catch (fault) {
        // It is tried again before the next append, which then reports it.
        if (!isStorageFault(fault)) throw fault
      }
      throw error
    }
  }

  /** The file that has the name, open, if it is what the caller expects. @throws SessionChangedError */
  #fileOf({ identity, size }: StorageStat): SyncFile {
    const now = performance.now()
    const isFresh = this.#checkedSize === size && now - this.#checkedAt < FRESH_MS
    if (isFresh && this.#held?.identity === identity) return this.#held.file
    const found = statStored(this.#fs, this.#path, this.#key)
    const isHeld = this.#held?.identity === identity && isSameFile(this.#held.stat, found)
    if (!isHeld && identityOf(found) !== identity) throw sessionChanged(this.#key, "replaced")
    const length = Number(found.size)
    if (length !== size) throw sessionChanged(this.#key, length < size ? "shrunk" : "grown")
    const file = this.#open(identity)
    this.#checkedSize = size
    this.#checkedAt = now
    return file
  }

  /** Goes on with a file that was just made, and is open for appending, where none is held. @param unsynced what it holds that is not on the disk yet */
  adopt({ file, stat }: MadeFile, unsynced: readonly Uint8Array[]): void {
    this.#held = { file, stat, identity: identityOf(stat) }
    let offset = 0
    for (const bytes of unsynced) {
      this.#unsynced.add(offset, bytes)
      offset += bytes.length
    }
    // Memory need not hold a large session that was copied.
    if (this.#unsynced.isFull) Steps.runNow(this.sync())
  }

  /** Cuts off what a failed append left. */
  heal(): void {
    if (this.#torn && this.#held) truncateTorn(this.#held.file, this.#torn.from, this.#torn.bytes)
    this.#torn = undefined
  }

  /**
   * Ends when all that was appended outlives a crash.
   * @param all the file with all that was stored in it before, also by others
   * @throws SessionChangedError when it was written to a file that no longer has the name
   */
  *sync(all?: StorageStat): Steps<void> {
    const begun = this.#beginSync(all)
    if (!begun) return
    yield* Steps.step(
      () => begun.file.datasync(),
      () => begun.file.datasyncSync(),
    )
    this.#endSync(begun)
  }

  #beginSync(all: StorageStat | undefined): BegunSync | undefined {
    if (all && this.#held?.identity !== all.identity) this.drop()
    const identity = all?.identity ?? this.#held?.identity
    if (identity === undefined || (this.#unsynced.isEmpty && !all)) return undefined
    if (this.#unsynced.isSuspect) this.#writeAgain(identity)
    return { file: this.#open(identity), identity, size: all?.size ?? 0, pieces: this.#unsynced.begin() }
  }

  /** What this sync was for is on the disk; what another one was for that failed meanwhile is not. */
  #endSync({ identity, size, pieces }: BegunSync): void {
    if (Number(this.#assertNamed(identity).size) < size) throw sessionChanged(this.#key, "shrunk", true)
    this.#unsynced.end(pieces)
  }

  /** Behind a write. */
  #assertNamed(identity: string): FileStat {
    const found = this.#fs.statSync(this.#path)
    if (found === undefined) throw sessionChanged(this.#key, "gone", true)
    if (identityOf(found) !== identity) throw sessionChanged(this.#key, "replaced", true)
    return found
  }

  /** Closes the file as it is. */
  drop(): void {
    const held = this.#held
    this.#held = undefined
    this.#checkedAt = NEVER
    this.#torn = undefined
    this.#unsynced.clear()
    held?.file.closeSync()
  }

  #open(identity: string): SyncFile {
    if (this.#held?.identity === identity) return this.#held.file
    this.drop()
    const { file, stat } = this.#opened(APPENDING, identity)
    this.#held = { file, stat, identity }
    return file
  }

  /** Opens what has the name now, if that is the file with the identity. */
  #opened(flags: number, identity: string): { file: SyncFile; stat: FileStat } {
    const file = this.#openNamed(flags)
    try {
      const stat = file.statSync({ bigint: true })
      if (identityOf(stat) !== identity) throw sessionChanged(this.#key, "replaced")
      return { file, stat }
    } catch (error) {
      file.closeSync()
      throw error
    }
  }

  #openNamed(flags: number): SyncFile {
    try {
      return this.#fs.openSync(this.#path, flags)
    } catch (error) {
      if (isErrno(error, "ENOENT")) throw sessionChanged(this.#key, "gone")
      throw error
    }
  }

  /** Where the bytes went, where a program that knows no lease wrote at the same moment. */
  #placeOf(bytes: Uint8Array, file: SyncFile, before: number, after: number): number {
    const written = Buffer.alloc(Math.max(0, after - before))
    readWholeSync(file, written, before)
    const place = written.indexOf(bytes)
    if (place === -1) throw sessionChanged(this.#key, after < before ? "shrunk" : "grown")
    return before + place
  }

  #writeAgain(identity: string): void {
    const { file } = this.#opened(constants.O_RDWR, identity)
    try {
      for (const { offset, bytes } of this.#unsynced.pieces) writeWholeSync(file, bytes, offset)
      file.syncSync()
    } finally {
      file.closeSync()
    }
  }
}

/** Cuts the file at `from`, if what follows there is a first part of the bytes and nothing else. */
function truncateTorn(file: SyncFile, from: number, bytes: Uint8Array): void {
  const tail = Number(file.statSync({ bigint: true }).size) - from
  if (tail <= 0 || tail > bytes.length) return
  const found = new Uint8Array(tail)
  const length = readWholeSync(file, found, from)
  if (Buffer.compare(found.subarray(0, length), bytes.subarray(0, tail)) === 0) file.truncateSync(from)
}
