import { constants } from "node:fs"
import type { StorageStat } from "@treelog/session-core"
import {
  type FileStat,
  type FsPort,
  identityOf,
  isErrno,
  isStorageFault,
  type OpenFile,
  readWhole,
  readWholeSync,
  type SyncFile,
  sessionChanged,
  storageError,
  storedStat,
  writeTextSync,
  writeWhole,
  writeWholeSync,
} from "@treelog-internal/fs"
import { sleepSync } from "./sleep-sync.js"
import { expectUnchanged, statStored } from "./stored-stat.js"
import { truncateTorn, truncateTornSync } from "./torn-append.js"
import { UnsyncedBytes } from "./unsynced-bytes.js"

/** A write that has begun ends within this, or is stuck. */
const LONGEST_WRITE_MS = 2000

export const APPENDING = constants.O_RDWR | constants.O_APPEND
/** Takes the byte of a read that finds none, as a rule. */
const PROBE = /* @__PURE__ */ new Uint8Array(1)

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
// `appendSync` is the same without promises, through a descriptor of its own. It may be called while `append` waits for an
// answer. Between the check of an `append` and its write nothing else runs, so that an `append` which has not begun to write finds
// the file grown, and writes nothing; and a write that has begun needs no more of this thread, so that `appendSync` waits for it.
// Who appends after another reads what came before, and finds there what is stored already (leased-session.ts).
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
  /** The same file, for calls without promises. */
  #heldSync: { readonly file: SyncFile; readonly identity: string } | undefined
  /** Where a write of `append` is under way. */
  #writing: { readonly from: number; readonly length: number; isRead: boolean } | undefined
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
    if (this.#held?.identity !== expected.identity) expectUnchanged(this.#fs, this.#path, this.#key, expected)
    const file = await this.#open(expected.identity)
    const found = storedStat(expectUnchanged(this.#fs, this.#path, this.#key, expected))
    if (bytes.length === 0) return found
    const writing = { from: found.size, length: bytes.length, isRead: false }
    try {
      this.#writing = writing
      await writeWhole(file, bytes, null)
      this.#writing = undefined
      const stat = storedStat(await this.#statHeld(file, found.identity))
      const place = await this.#placeOf(bytes, file, found.size, stat.size)
      this.#unsynced.add(place, new Uint8Array(bytes), bytes.length)
      return stat
    } catch (error) {
      this.#writing = undefined
      // What `appendSync` has found whole, its caller counts as stored.
      if (!writing.isRead) this.#torn = { from: found.size, bytes: new Uint8Array(bytes) }
      // What fails here is tried again before the next append, which then reports it.
      await Promise.allSettled([this.heal()])
      throw error
    }
  }

  /**
   * The same without promises. Keeps the bytes.
   * @param isChecked the name was checked in this turn of the event loop, under this lock, and is not checked again: what removes or
   * replaces the file in one turn with an append might as well have come after it, and the next turn finds it
   */
  appendSync(
    data: Uint8Array | string,
    expected: StorageStat,
    isChecked: boolean,
  ): StorageStat & { readonly written: number } {
    if (this.#writing) this.#awaitWriting()
    if (this.#unsynced.isFull) this.syncSync()
    if (this.#torn) this.#healSync()
    const { size: from, identity } = expected
    if (!isChecked || this.#heldSync?.identity !== identity) expectUnchanged(this.#fs, this.#path, this.#key, expected)
    const file = this.#openSync(identity)
    if (data.length === 0) return { ...expected, written: 0 }
    try {
      const written = typeof data === "string" ? writeTextSync(file, data) : writeWholeSync(file, data, null)
      const end = from + written
      // A read at the expected end finds what others appended for less than half of what a stat takes, and there is one for each append.
      const isAlone = file.readSync(PROBE, 0, 1, end) === 0
      const size = isAlone ? end : Number(file.statSync({ bigint: true }).size)
      this.#unsynced.add(isAlone ? from : this.#placeOfSync(bytesOf(data), file, from, size), data, written)
      return { size, identity, modified: expected.modified, written }
    } catch (error) {
      this.#torn = { from, bytes: new Uint8Array(bytesOf(data)) }
      try {
        this.#healSync()
      } catch (fault) {
        // It is tried again before the next append, which then reports it.
        if (!isStorageFault(fault)) throw fault
      }
      throw error
    }
  }

  /** Goes on with a file that was just made, and is open for appending. @param unsynced what it holds that is not on the disk yet */
  adopt(file: SyncFile, identity: string, unsynced: readonly Uint8Array[]): void {
    this.#forgetSync()
    this.#heldSync = { file, identity }
    let offset = 0
    for (const bytes of unsynced) {
      this.#unsynced.add(offset, bytes, bytes.length)
      offset += bytes.length
    }
    // Memory need not hold a large session that was copied.
    if (this.#unsynced.isFull) this.syncSync()
  }

  /** Cuts off what a failed append left. */
  async heal(): Promise<void> {
    if (this.#torn === undefined) return
    const file = this.#held?.file ?? (this.#heldSync && (await this.#open(this.#heldSync.identity)))
    if (file === undefined) return
    await truncateTorn(file, this.#torn.from, this.#torn.bytes)
    this.#torn = undefined
  }

  #healSync(): void {
    if (this.#torn === undefined) return
    const identity = this.#held?.identity ?? this.#heldSync?.identity
    if (identity === undefined) return
    truncateTornSync(this.#openSync(identity), this.#torn.from, this.#torn.bytes)
    this.#torn = undefined
  }

  /** Waits until a write that has begun is done. @throws StorageError when it takes too long */
  #awaitWriting(): void {
    if (this.#writing === undefined) return
    const { from, length } = this.#writing
    const deadline = performance.now() + LONGEST_WRITE_MS
    while (Number(statStored(this.#fs, this.#path, this.#key).size) < from + length) {
      if (performance.now() > deadline)
        throw storageError(this.#key, "append", undefined, new Error("another write of this process has not ended"))
      sleepSync(1)
    }
    this.#writing.isRead = true
  }

  /**
   * Resolves when all that was appended outlives a crash.
   * @throws SessionChangedError when it was written to a file that no longer has the name
   */
  async sync(): Promise<void> {
    const identity = this.#held?.identity ?? this.#heldSync?.identity
    if (this.#unsynced.isEmpty || identity === undefined) return
    const file = await this.#open(identity)
    if (this.#unsynced.isSuspect) await this.#writeAgain(identity)
    const pieces = this.#unsynced.begin()
    await file.datasync()
    this.#assertNamed(identity)
    this.#unsynced.end(pieces)
  }

  /** The same without promises. */
  syncSync(): void {
    const identity = this.#held?.identity ?? this.#heldSync?.identity
    if (this.#unsynced.isEmpty || identity === undefined) return
    const file = this.#openSync(identity)
    if (this.#unsynced.isSuspect) this.#writeAgainSync(identity)
    const pieces = this.#unsynced.begin()
    file.datasyncSync()
    this.#assertNamed(identity)
    this.#unsynced.end(pieces)
  }

  #assertNamed(identity: string): void {
    const named = identityOf(statStored(this.#fs, this.#path, this.#key))
    if (named !== identity) throw sessionChanged(this.#key, "replaced")
  }

  /** Who appended leaves the sync to others (see `SyncOptions`): nothing is to be written again. */
  forgetUnsynced(): void {
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
    this.#forgetSync()
    await held?.file.close()
  }

  /** The same without promises, where no call is under way. */
  dropSync(): void {
    this.#healSync()
    const held = this.#held
    this.#held = undefined
    this.#forgetSync()
    // What was written through it is written, whether or not it can be closed.
    if (held) void Promise.allSettled([held.file.close()])
  }

  /** Makes durable what others appended, too. */
  async syncAll(): Promise<void> {
    const file = await this.#open(identityOf(statStored(this.#fs, this.#path, this.#key)))
    await file.datasync()
  }

  syncAllSync(): void {
    this.#openSync(identityOf(statStored(this.#fs, this.#path, this.#key))).datasyncSync()
  }

  #forgetSync(): void {
    this.#torn = undefined
    this.#unsynced.clear()
    this.#closeSync()
  }

  #closeSync(): void {
    const held = this.#heldSync
    this.#heldSync = undefined
    held?.file.closeSync()
  }

  async #open(identity: string): Promise<OpenFile> {
    if (this.#held !== undefined && this.#held.identity !== identity) await this.drop()
    if (this.#held === undefined) {
      const file = await this.#opened(APPENDING, identity)
      this.#held = { file, identity }
    }
    return this.#held.file
  }

  #openSync(identity: string): SyncFile {
    if (this.#heldSync !== undefined && this.#heldSync.identity !== identity) this.#forgetSync()
    this.#heldSync ??= { file: this.#openedSync(APPENDING, identity), identity }
    return this.#heldSync.file
  }

  #openedSync(flags: number, identity: string): SyncFile {
    const file = this.#openNamedSync(flags)
    try {
      if (identityOf(file.statSync({ bigint: true })) !== identity) throw sessionChanged(this.#key, "replaced")
      return file
    } catch (error) {
      file.closeSync()
      throw error
    }
  }

  #openNamedSync(flags: number): SyncFile {
    try {
      return this.#fs.openSync(this.#path, flags)
    } catch (error) {
      if (isErrno(error, "ENOENT")) throw sessionChanged(this.#key, "gone")
      throw error
    }
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
    return this.#placeIn(written, bytes, before, after)
  }

  #placeOfSync(bytes: Uint8Array, file: SyncFile, before: number, after: number): number {
    const written = Buffer.alloc(Math.max(0, after - before))
    readWholeSync(file, written, before)
    return this.#placeIn(written, bytes, before, after)
  }

  #placeIn(written: Buffer, bytes: Uint8Array, before: number, after: number): number {
    const place = written.indexOf(bytes)
    if (place === -1) throw sessionChanged(this.#key, after < before ? "shrunk" : "grown")
    return before + place
  }

  async #writeAgain(identity: string): Promise<void> {
    const file = await this.#opened(constants.O_RDWR, identity)
    try {
      for (const { offset, data } of this.#unsynced.pieces) await writeWhole(file, bytesOf(data), offset)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  #writeAgainSync(identity: string): void {
    const file = this.#openedSync(constants.O_RDWR, identity)
    try {
      for (const { offset, data } of this.#unsynced.pieces) writeWholeSync(file, bytesOf(data), offset)
      file.syncSync()
    } finally {
      file.closeSync()
    }
  }
}

function bytesOf(data: Uint8Array | string): Uint8Array {
  return typeof data === "string" ? Buffer.from(data) : data
}
