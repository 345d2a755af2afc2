import { dirname } from "node:path"
import { isTreelogError, type StorageStat } from "@treelog/session-core"
import { type Chunks, type LeaseOptions, type SyncLease, Turns } from "@treelog/session-core/adapter"
import {
  type FsPort,
  isStorageFault,
  lstatIfThere,
  makeFolder,
  makeFolderSync,
  sessionExists,
  storageError,
  syncFolder,
  syncFolderSync,
  TemporaryFiles,
  toStorageError,
  withStorageErrors,
  withStorageErrorsSync,
} from "@treelog-internal/fs"
import { addArtifacts } from "./add-artifacts.js"
import { AppendFile } from "./append-file.js"
import { withArtifacts } from "./artifacts.js"
import { quarantine } from "./backups.js"
import { HeldLock } from "./held-lock.js"
import { newToken } from "./lock-file.js"
import { moveSession } from "./move-session.js"
import type { OrphanRemover } from "./orphans.js"
import { abandonLocks, forgetLocks, reclaimLocks } from "./own-locks.js"
import { endParked, parkLease } from "./parked-leases.js"
import { removeSession } from "./remove-session.js"
import { realPath } from "./stored-stat.js"
import type { NewFile } from "./temp-file.js"
import { createFile, createFileSync, replaceFile, replaceFileSync } from "./write-session.js"

/** The right to write one session file. Its methods run one after the other, in the order in which they are called. */
export class FileLease implements SyncLease {
  readonly #fs: FsPort
  readonly #token: string
  readonly #access: LeaseOptions["access"]
  readonly #temporaryFiles: TemporaryFiles
  readonly #orphans: OrphanRemover | undefined
  readonly #turns = new Turns()
  /** Folders whose names are not durable yet. */
  readonly #folders = new Set<string>()
  /** The identities of files that this lease reported. */
  readonly #identities = new Set<string>()
  #key: string
  #path: string
  /** Undefined for a lease that only removes, on a full disk. */
  #lock: HeldLock | undefined
  #appends: AppendFile
  /** A replacement whose name was not made durable: until it is, its `expected` may be asked to be replaced again. */
  #unsettled: { readonly expected: string; readonly stat: StorageStat; readonly kept: string | undefined } | undefined
  #isReleased = false
  /** It was released in this turn of the event loop, and keeps its lock until the turn has ended (parked-leases.ts). */
  #isParked = false
  #isLocked = true

  private constructor(
    fs: FsPort,
    wish: { key: string; path: string; token: string } & LeaseOptions,
    lock: HeldLock | undefined,
    temporaryFiles: TemporaryFiles,
    orphans: OrphanRemover | undefined,
  ) {
    this.#fs = fs
    this.#token = wish.token
    this.#access = wish.access
    this.#temporaryFiles = temporaryFiles
    this.#orphans = orphans
    this.#key = wish.key
    this.#path = wish.path
    this.#lock = lock
    this.#appends = new AppendFile(fs, wish.path, wish.key)
    for (const folder of lock?.changedFolders ?? []) this.#folders.add(folder)
  }

  /**
   * @param orphans visits the folder when the lease is released
   * @throws SessionBusyError
   */
  static take(fs: FsPort, key: string, options: LeaseOptions, orphans?: OrphanRemover): Promise<FileLease> {
    return withStorageErrors(key, "lease", async () => {
      const wish = { ...options, key, path: realPath(fs, key), token: newToken() }
      endParked(wish.path)
      const temporaryFiles = new TemporaryFiles(fs)
      try {
        return new FileLease(fs, wish, await HeldLock.take(fs, wish, temporaryFiles), temporaryFiles, orphans)
      } catch (error) {
        // What cannot be removed now must not hide why there is no lease.
        await Promise.allSettled([temporaryFiles.removeAll()])
        throw error
      }
    })
  }

  /** The same without promises. @throws SessionBusyError */
  static takeSync(fs: FsPort, key: string, options: LeaseOptions, orphans?: OrphanRemover): FileLease {
    return withStorageErrorsSync(key, "lease", () => {
      const path = realPath(fs, key)
      endParked(path)
      const wish = { ...options, key, path, token: newToken() }
      const temporaryFiles = new TemporaryFiles(fs)
      try {
        return new FileLease(fs, wish, HeldLock.takeSync(fs, wish, temporaryFiles), temporaryFiles, orphans)
      } catch (error) {
        unlessFaulty(() => temporaryFiles.removeAllSync())
        throw error
      }
    })
  }

  get key(): string {
    return this.#key
  }

  create(chunks: Chunks, options: { artifactsFrom?: string } = {}): Promise<StorageStat> {
    return this.#run("create", async () => {
      for (const folder of await makeFolder(this.#fs, dirname(this.#path))) this.#folders.add(folder)
      if ((await lstatIfThere(this.#fs, this.#path)) !== undefined) throw sessionExists(this.#key)
      const from = options.artifactsFrom
      const create = async () => this.#note(await createFile(this.#file, chunks))
      return from === undefined ? create() : withArtifacts(this.#file, from, create)
    })
  }

  append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    return this.#run("append", () => this.#appends.append(bytes, expected))
  }

  createSync(chunks: Iterable<Uint8Array>, { sync = true } = {}): StorageStat {
    return this.#runSync("create", () => {
      for (const folder of makeFolderSync(this.#fs, dirname(this.#path))) this.#folders.add(folder)
      const unsynced = sync ? [] : [...chunks]
      const { file, stat } = createFileSync(this.#file, sync ? chunks : unsynced, sync)
      this.#note(stat)
      this.#appends.adopt(file, stat.identity, unsynced)
      return stat
    })
  }

  appendSync(data: Uint8Array | string, expected: StorageStat): StorageStat & { readonly written: number } {
    // As `#runSync` does, without a function for each append.
    this.#assertHeld("append")
    try {
      return this.#appends.appendSync(data, expected, this.#isParked)
    } catch (error) {
      throw toStorageError(error, this.#key, "append")
    }
  }

  sync({ all = false } = {}): Promise<void> {
    return this.#run("sync", async () => {
      await this.#appends.sync()
      if (all) await this.#appends.syncAll()
      for (const folder of this.#unsyncedFolders(all)) {
        await syncFolder(this.#fs, folder)
        this.#folders.delete(folder)
      }
    })
  }

  syncSync({ all = false } = {}): void {
    this.#runSync("sync", () => {
      this.#appends.syncSync()
      if (all) this.#appends.syncAllSync()
      for (const folder of this.#unsyncedFolders(all)) {
        syncFolderSync(this.#fs, folder)
        this.#folders.delete(folder)
      }
    })
  }

  /** With `all`, also those in which an earlier lease may have made the file, or its folder. */
  #unsyncedFolders(all: boolean): string[] {
    const folder = dirname(this.#path)
    return [...new Set([...this.#folders, ...(all ? [folder, dirname(folder)] : [])])]
  }

  replaceSync(
    chunks: Iterable<Uint8Array>,
    { expected, keepAs }: { expected: StorageStat; keepAs?: string },
  ): { stat: StorageStat; kept?: string } {
    return this.#runSync("replace", () => {
      this.#identities.add(expected.identity)
      const done = replaceFileSync(this.#file, chunks, { expected, keepAs })
      this.#note(done.stat)
      syncFolderSync(this.#fs, dirname(this.#path))
      return done
    })
  }

  replace(
    chunks: Chunks,
    { expected, keepAs }: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }> {
    return this.#run("replace", async () => {
      await this.#appends.settle()
      this.#identities.add(expected.identity)
      const again = this.#unsettled?.expected === expected.identity ? this.#unsettled : undefined
      const change = again === undefined ? { expected, keepAs } : { expected: again.stat }
      const done = await replaceFile(this.#file, chunks, change)
      const stat = this.#note(done.stat)
      const kept = again?.kept ?? done.kept
      this.#unsettled = { expected: expected.identity, stat, kept }
      await syncFolder(this.#fs, dirname(this.#path))
      this.#unsettled = undefined
      return kept === undefined ? { stat } : { stat, kept }
    })
  }

  move(to: string): Promise<void> {
    return this.#run("move", async () => {
      if (to === this.#key) return
      await this.#appends.settle()
      for (const folder of await makeFolder(this.#fs, dirname(to))) this.#folders.add(folder)
      const isLink = this.#path !== this.#key
      const lock = isLink ? this.#lock : await this.#lockOf(to)
      try {
        await moveSession(this.#fs, this.#key, to)
      } catch (error) {
        if (!isLink && lock) await this.#temporaryFiles.discard(lock.path)
        throw error
      }
      if (!isLink && this.#lock) await this.#temporaryFiles.discard(this.#lock.path)
      this.#folders.add(dirname(this.#key)).add(dirname(to))
      this.#lock = lock
      this.#key = to
      if (!isLink) this.#path = to
      this.#appends = new AppendFile(this.#fs, this.#path, to)
    })
  }

  quarantine(suffix: string): Promise<string> {
    return this.#run("quarantine", async () => {
      await this.#appends.settle()
      const name = await quarantine(this.#fs, this.#path, suffix)
      this.#folders.add(dirname(this.#path))
      return name
    })
  }

  remove(): Promise<void> {
    return this.#run("remove", async () => {
      await this.#appends.drop()
      await removeSession(this.#fs, this.#key, this.#token)
      this.#folders.add(dirname(this.#key))
    })
  }

  /** Copies artifacts of another session that this one does not have. @param names paths in their folder */
  addArtifacts(from: string, names: readonly string[]): Promise<void> {
    return this.#run("add artifacts to", () => addArtifacts(this.#file, from, names))
  }

  /** Runs another operation on the session, like these methods: in its turn, and with `StorageError`s. */
  during<T>(operation: string, action: () => Promise<T>): Promise<T> {
    return this.#run(operation, async () => {
      await this.#appends.drop()
      return action()
    })
  }

  /**
   * Everything is tried, so that a fault in one part leaves no lock behind; the first fault is reported. Where the lock itself stays,
   * this process can take the session again, and a second release tries to remove it once more.
   */
  release(): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#isParked && this.#isReleased) return endParked(this.#path)
      this.#isParked = false
      if (this.#isReleased) return this.#isLocked ? this.#releaseAgain() : undefined
      this.#isReleased = true
      const steps = [
        () => this.#appends.heal(),
        // It writes nothing more: whoever asks in this process can have the lock.
        async () => abandonLocks(this.#token),
        () => this.#appends.drop(),
        () => this.#temporaryFiles.removeAll(),
        () => this.#unlock(),
        async () => this.#orphans?.visit(dirname(this.#path)),
      ]
      const faults: unknown[] = []
      for (const step of steps) await step().catch((error: unknown) => faults.push(error))
      if (faults.length === 0) return
      abandonLocks(this.#token)
      throw toStorageError(faults[0], this.#key, "release")
    })
  }

  /** The same without promises. A shared lease keeps its lock until this turn of the event loop has ended (parked-leases.ts). */
  releaseSync(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#isParked ||= this.#access === "shared" && parkLease(this.#path, this)
    if (this.#isParked) this.#appends.forgetUnsynced()
    else this.#finish()
  }

  /** It stays parked: one append after the other need not be parked again. */
  resumeSync(): boolean {
    if (this.#isParked) this.#isReleased = false
    return this.#isParked
  }

  /** The turn has ended, or somebody else wants the session: the lock is removed, unless the lease was resumed and is held. */
  end(): void {
    if (!this.#isParked) return
    this.#isParked = false
    if (this.#isReleased) this.#finish()
  }

  /** The last part of `releaseSync`. Everything is tried; where the lock stays, this process can take the session again. */
  #finish(): void {
    let isGone = false
    const steps = [
      () => this.#appends.dropSync(),
      () => this.#temporaryFiles.removeAllSync(),
      () => {
        isGone = this.#lock === undefined || this.#lock.drop()
      },
    ]
    for (const step of steps) unlessFaulty(step)
    this.#isLocked = false
    // One that is gone may have moved with its folder.
    if (isGone) forgetLocks(this.#token)
    else abandonLocks(this.#token)
  }

  /** By a lease of its own: the lock was given up, and another one of this process may hold the session by now. */
  async #releaseAgain(): Promise<void> {
    try {
      const lease = await FileLease.take(this.#fs, this.#key, { access: this.#access, waitMs: 0 })
      await lease.release()
    } catch (error) {
      if (!isTreelogError(error, "SessionBusyError")) throw error
    }
    this.#isLocked = false
  }

  async #unlock(): Promise<void> {
    reclaimLocks(this.#token)
    const wasThere = this.#lock === undefined || this.#lock.drop()
    this.#isLocked = false
    // One that is gone may have moved with its folder.
    if (wasThere) forgetLocks(this.#token)
    else abandonLocks(this.#token)
  }

  get #file(): NewFile {
    return {
      fs: this.#fs,
      path: this.#path,
      key: this.#key,
      token: this.#token,
      identities: this.#identities,
      temporaryFiles: this.#temporaryFiles,
    }
  }

  #run<T>(operation: string, action: () => Promise<T>): Promise<T> {
    return this.#turns.run(() => {
      this.#assertHeld(operation)
      return withStorageErrors(this.#key, operation, action)
    })
  }

  #runSync<T>(operation: string, action: () => T): T {
    this.#assertHeld(operation)
    return withStorageErrorsSync(this.#key, operation, action)
  }

  #assertHeld(operation: string): void {
    if (this.#isReleased) throw storageError(this.#key, operation, undefined, new Error("the lease was released"))
  }

  /** Remembers a new file, whose name is not durable yet. */
  #note(stat: StorageStat): StorageStat {
    this.#identities.add(stat.identity)
    this.#folders.add(dirname(this.#path))
    return stat
  }

  #lockOf(to: string): Promise<HeldLock | undefined> {
    const wish = { key: to, path: to, token: this.#token, access: this.#access, waitMs: 0 }
    return HeldLock.take(this.#fs, wish, this.#temporaryFiles)
  }
}

/** Nobody waits for what is cleaned up, and what is left is found as an orphan. */
function unlessFaulty(step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!isStorageFault(error)) throw error
  }
}
