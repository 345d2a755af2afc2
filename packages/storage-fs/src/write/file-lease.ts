import { dirname } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import {
  type Chunks,
  type LeaseOptions,
  Steps,
  type StorageStat,
  type SyncLease,
  sessionExists,
  Turns,
} from "@treelog/session-core/adapter"
import {
  type FsPort,
  isStorageFault,
  makeFolder,
  storageError,
  storedStat,
  syncFolder,
  syncFolderSync,
  TemporaryFiles,
  toStorageError,
  withStorageErrors,
  withStorageErrorsSync,
} from "@treelog-internal/fs"
import { placeArtifacts, type StagedArtifact, stageArtifact } from "../artifacts/add-artifacts.js"
import { withArtifacts } from "../artifacts/artifacts.js"
import { type HeldLock, isOwnLock, type LockWish, takeLockOf, waiting } from "../lock/held-lock.js"
import { askForKept, checkIfLate, forgetKept, type KeptLease, keepLease, restOf } from "../lock/kept-leases.js"
import { closeIdleSocket } from "../lock/liveness-socket.js"
import { isLockWanted, newToken } from "../lock/lock-file.js"
import { abandonLocks, forgetLocks } from "../lock/own-locks.js"
import { dropLock } from "../lock/session-lock.js"
import type { OrphanRemover } from "../orphans.js"
import { realPath } from "../stored-stat.js"
import { AppendFile } from "./append-file.js"
import { moveSession } from "./move-session.js"
import { removeSession } from "./remove-session.js"
import { type MadeFile, type NewFile, syncTempName, tempName } from "./temp-file.js"
import { createFile, replaceFile } from "./write-session.js"

/** `lock left`: released, but its lock could not be removed. */
type FileLeaseState = "held" | "lock left" | "released"

/** The right to write one session file. Its methods run one after the other, in the order in which they are called. */
export class FileLease implements SyncLease, KeptLease {
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
  /** A replacement whose name was not made durable: until it is, its `expected` may be replaced again. */
  #unsettled: { readonly expected: string; readonly stat: StorageStat; readonly kept: string | undefined } | undefined
  #state: FileLeaseState = "held"
  /** Asks the holder to release it (kept-leases.ts). Undefined where it is not kept for the next append. */
  #giveUp: (() => void) | undefined
  #wasUsed = false

  private constructor(
    fs: FsPort,
    wish: LockWish,
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
    return withStorageErrors(key, "lease", () => Steps.run(FileLease.#taking(fs, key, options, orphans)))
  }

  /**
   * `take` without promises: the thread sleeps while it waits. A lock of this process is not waited for, since its holder
   * cannot continue meanwhile.
   * @throws SessionBusyError
   */
  static takeSync(fs: FsPort, key: string, options: LeaseOptions, orphans?: OrphanRemover): FileLease {
    return withStorageErrorsSync(key, "lease", () =>
      Steps.runNow(FileLease.#taking(fs, key, options, orphans, isOwnLock)),
    )
  }

  static *#taking(
    fs: FsPort,
    key: string,
    options: LeaseOptions,
    orphans: OrphanRemover | undefined,
    isVain?: typeof isOwnLock,
  ): Steps<FileLease> {
    const path = realPath(fs, key)
    askForKept(path)
    const { storeFolder } = orphans ?? {}
    const wish: LockWish = { ...options, key, path, token: newToken(), storeFolder }
    if (restOf(path) > 0) yield* waiting(restOf(path))
    const temporaryFiles = new TemporaryFiles(fs)
    try {
      return new FileLease(fs, wish, yield* takeLockOf(fs, wish, temporaryFiles, isVain), temporaryFiles, orphans)
    } catch (error) {
      // What cannot be removed now must not hide why there is no lease.
      try {
        temporaryFiles.removeAll()
      } catch (fault) {
        if (!isStorageFault(fault)) throw fault
      }
      closeIdleSocket(storeFolder)
      throw error
    }
  }

  get key(): string {
    return this.#key
  }

  create(chunks: Chunks, options: { artifactsFrom?: string } = {}): Promise<StorageStat> {
    return this.#run("create", async () => {
      this.#beginCreate()
      if (this.#fs.lstatSync(this.#path) !== undefined) throw sessionExists(this.#key)
      const create = async () => this.#made(await Steps.run(createFile(this.#file, this.#temp, chunks, true)), [])
      const from = options.artifactsFrom
      return from === undefined ? create() : withArtifacts(this.#file, from, create)
    })
  }

  createSync(chunks: Iterable<Uint8Array>, { sync = true } = {}): StorageStat {
    return this.#runSync("create", () => {
      this.#beginCreate()
      const unsynced = sync ? [] : [...chunks]
      return this.#made(Steps.runNow(createFile(this.#file, this.#syncTemp, sync ? chunks : unsynced, sync)), unsynced)
    })
  }

  #beginCreate(): void {
    this.#appends.drop()
    for (const folder of makeFolder(this.#fs, dirname(this.#path))) this.#folders.add(folder)
  }

  #made(made: MadeFile, unsynced: readonly Uint8Array[]): StorageStat {
    const stat = this.#note(storedStat(made.stat))
    this.#appends.adopt(made, this.#giveUp ? [] : unsynced)
    return stat
  }

  append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat> {
    // A copy, since the caller may change the bytes when they are appended.
    return this.#run("append", async () => this.#appends.append(new Uint8Array(bytes), expected))
  }

  appendSync(bytes: Uint8Array, expected: StorageStat): StorageStat {
    this.#assertHeld("append")
    this.#wasUsed = true
    try {
      return this.#appends.append(bytes, expected, !this.#giveUp)
    } catch (error) {
      throw toStorageError(error, this.#key, "append")
    } finally {
      if (this.#giveUp) checkIfLate()
    }
  }

  sync({ all }: Parameters<SyncLease["sync"]>[0] = {}): Promise<void> {
    return this.#run("sync", () => Steps.run(this.#syncing(all)))
  }

  syncSync({ all }: Parameters<SyncLease["sync"]>[0] = {}): void {
    this.#runSync("sync", () => Steps.runNow(this.#syncing(all)))
  }

  *#syncing(all: StorageStat | undefined): Steps<void> {
    yield* this.#appends.sync(all)
    for (const folder of this.#unsyncedFolders(all)) {
      yield* Steps.step(
        () => syncFolder(this.#fs, folder),
        () => syncFolderSync(this.#fs, folder),
      )
      this.#folders.delete(folder)
    }
  }

  /** With `all`, also those in which an earlier lease may have made the file, or its folder. */
  #unsyncedFolders(all: StorageStat | undefined): string[] {
    const folder = dirname(this.#path)
    return [...new Set([...this.#folders, ...(all ? [folder, dirname(folder)] : [])])]
  }

  replaceSync(
    chunks: Iterable<Uint8Array>,
    { expected, keepAs }: { expected: StorageStat; keepAs?: string },
  ): { stat: StorageStat; kept?: string } {
    return this.#runSync("replace", () => {
      this.#identities.add(expected.identity)
      const done = Steps.runNow(replaceFile(this.#file, this.#syncTemp, chunks, { expected, keepAs }))
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
      await this.#settle()
      this.#identities.add(expected.identity)
      const again = this.#unsettled?.expected === expected.identity ? this.#unsettled : undefined
      const change = again === undefined ? { expected, keepAs } : { expected: again.stat }
      const done = await Steps.run(replaceFile(this.#file, this.#temp, chunks, change))
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
      await this.#settle()
      for (const folder of makeFolder(this.#fs, dirname(to))) this.#folders.add(folder)
      const isLink = this.#path !== this.#key
      const lock = isLink ? this.#lock : await this.#lockOf(to)
      try {
        await moveSession(this.#fs, this.#key, to)
      } catch (error) {
        if (!isLink && lock) this.#temporaryFiles.discard(lock.path)
        throw error
      }
      if (!isLink && this.#lock) this.#temporaryFiles.discard(this.#lock.path)
      this.#folders.add(dirname(this.#key)).add(dirname(to))
      this.#lock = lock
      this.#key = to
      if (!isLink) this.#path = to
      this.#appends = new AppendFile(this.#fs, this.#path, to)
    })
  }

  remove(): Promise<void> {
    return this.#run("remove", async () => {
      this.#appends.drop()
      await removeSession(this.#fs, this.#key, this.#token)
      this.#folders.add(dirname(this.#key))
    })
  }

  /** Writes an artifact into the temporary folder. Resolves to its path there. */
  stageArtifact(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
    return this.#run("add artifacts to", () => stageArtifact(this.#file, name, chunks))
  }

  /** Stores staged artifacts durably. Resolves to whether each was stored. */
  placeArtifacts(staged: readonly StagedArtifact[]): Promise<readonly boolean[]> {
    return this.#run("add artifacts to", () => placeArtifacts(this.#file, staged))
  }

  /** Runs another operation on the session, like these methods: in its turn, and with `StorageError`s. */
  during<T>(operation: string, action: () => Promise<T>): Promise<T> {
    return this.#run(operation, async () => {
      this.#appends.drop()
      return action()
    })
  }

  /** Leaves nothing half done, and closes the file. */
  async #settle(): Promise<void> {
    this.#appends.heal()
    await Steps.run(this.#appends.sync())
    this.#appends.drop()
  }

  /**
   * Everything is tried, so that a fault in one part leaves no lock behind; the first fault is reported. Where the lock itself stays,
   * this process can take the session again, and a second release tries to remove it once more.
   */
  release(): Promise<void> {
    return this.#turns.run(async () => {
      if (this.#state === "released") return
      if (this.#state === "lock left") return this.#releaseAgain()
      const fault = this.#finish()
      if (fault !== undefined) throw toStorageError(fault, this.#key, "release")
      await this.#orphans?.visit(dirname(this.#path))
    })
  }

  /** `release` without promises. What fails is found as an orphan, or by who wants the session next. */
  releaseSync(): void {
    const fault = this.#state === "held" ? this.#finish() : undefined
    this.#state = "released"
    if (fault !== undefined && !isStorageFault(fault)) throw fault
  }

  keepUntilWanted(giveUp: () => void): boolean {
    if (!keepLease(this.#path, this)) return false
    this.#giveUp = giveUp
    return true
  }

  isIdle(): boolean {
    const isIdle = !this.#wasUsed
    this.#wasUsed = false
    return isIdle
  }

  isWanted(): boolean {
    return this.#lock !== undefined && isLockWanted(this.#fs, this.#lock.path)
  }

  giveUp(): void {
    this.#giveUp?.()
  }

  /** Everything is tried. Returns the first fault. */
  #finish(): unknown {
    this.#state = "lock left"
    forgetKept(this.#path, this)
    const faults: unknown[] = []
    const attempt = (step: () => void): void => {
      try {
        step()
      } catch (error) {
        faults.push(error)
      }
    }
    attempt(() => this.#appends.heal())
    attempt(() => this.#appends.drop())
    attempt(() => this.#temporaryFiles.removeAll())
    let isGone = false
    attempt(() => {
      isGone = this.#lock === undefined || dropLock(this.#fs, this.#lock.path, this.#token)
      this.#state = "released"
    })
    // It writes nothing more: this process may take over a lock that stays. One that is gone may have moved with its folder.
    if (isGone && faults.length === 0) forgetLocks(this.#token)
    else abandonLocks(this.#token)
    closeIdleSocket(this.#orphans?.storeFolder)
    return faults[0]
  }

  /** By a lease of its own: the lock was given up, and another one of this process may hold the session by now. */
  async #releaseAgain(): Promise<void> {
    try {
      const lease = await FileLease.take(this.#fs, this.#key, { access: this.#access, waitMs: 0 })
      await lease.release()
    } catch (error) {
      if (!isTreelogError(error, "SessionBusyError")) throw error
    }
    this.#state = "released"
  }

  get #temp(): string {
    return tempName(this.#path, this.#token)
  }

  /** Of calls without promises. */
  get #syncTemp(): string {
    return syncTempName(this.#path, this.#token)
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
    if (this.#state !== "held") throw storageError(this.#key, operation, undefined, new Error("the lease was released"))
  }

  /** Remembers a new file, whose name is not durable yet. */
  #note(stat: StorageStat): StorageStat {
    this.#identities.add(stat.identity)
    this.#folders.add(dirname(this.#path))
    return stat
  }

  #lockOf(to: string): Promise<HeldLock | undefined> {
    const storeFolder = this.#orphans?.storeFolder
    const wish = { key: to, path: to, token: this.#token, access: this.#access, waitMs: 0, storeFolder }
    return Steps.run(takeLockOf(this.#fs, wish, this.#temporaryFiles))
  }
}
