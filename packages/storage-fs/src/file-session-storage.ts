import { join, resolve } from "node:path"
import { isTreelogError, type SessionStorage, TreelogError } from "@treelog/session-core"
import type {
  Lease,
  LeaseOptions,
  ListFilter,
  SessionArtifact,
  SessionPlace,
  StorageStat,
  StoredName,
  StoredRanges,
  SummaryCache,
  SyncLease,
} from "@treelog/session-core/adapter"
import {
  cacheFolderOf,
  type Env,
  type FsPort,
  homeOf,
  nodeFs,
  reportOnce,
  rowsFolder,
  SessionRows,
  watchFile,
  withoutTilde,
  withStorageErrors,
} from "@treelog-internal/fs"
import { type AddedArtifacts, addArtifacts } from "./artifacts/add-artifacts.js"
import { readArtifacts } from "./artifacts/read-artifacts.js"
import { FileBreadcrumbs } from "./file-breadcrumbs.js"
import { FileSummaries } from "./list/file-summaries.js"
import { listParts } from "./list/list-parts.js"
import { bucketsIn, type Found, listFolders } from "./list/list-sessions.js"
import { findHolder, type LeaseHolder } from "./lock/session-lock.js"
import { OrphanRemover, orphanedSockets, removeOrphans } from "./orphans.js"
import { Layout } from "./place/layout.js"
import type { Preset } from "./place/program-folders.js"
import { assertFolder } from "./place/session-name.js"
import { openFileRanges, readRange } from "./read-ranges.js"
import { statSession } from "./stored-stat.js"
import { cleaned, terminalIdOf, ttyPath } from "./terminal-id.js"
import { FileTrash } from "./trash/file-trash.js"
import { FileLease } from "./write/file-lease.js"

/** Which files to use, and what to take from the environment. */
export interface FileSessionStorageOptions {
  /** Holds `sessions/` and `terminal-sessions/`; by default that of the preset, or `TREELOG_AGENT_DIR`, or `~/.treelog/agent`. */
  readonly agentDir?: string | undefined
  /**
   * The program whose store it is: new sessions go where it looks for them. By default the one whose agent folder `agentDir` is, else
   * treelog.
   */
  readonly preset?: Preset | undefined
  /** Keeps all sessions in this one folder, instead of one folder for each working directory. */
  readonly sessionDir?: string | undefined
  readonly env?: Env
  /** The file system; Node's by default. */
  readonly fs?: FsPort
  /** The name of this terminal; found out by default. */
  readonly terminalId?: string | undefined
  /**
   * Where listings keep what they found out (FORMAT.md, section 8); by default `TREELOG_CACHE_DIR`, or a folder of treelog's where
   * the platform keeps caches. `null` keeps nothing: each listing reads the sessions it lists.
   */
  readonly cacheDir?: string | null | undefined
  /** Called once, with the first reason why the cache cannot be read or written. Listings continue without it. */
  readonly onCacheError?: ((error: TreelogError<"StorageError">) => void) | undefined
}

const PRESETS: readonly unknown[] = ["treelog", "pi", "xcsh", "omp"] satisfies readonly Preset[]

/** Without this, what is no preset, and a path in the place of the options, would be the user's own store of treelog. */
function assertOptions(options: FileSessionStorageOptions): void {
  const { preset = "treelog" } = options
  if (typeof options !== "object")
    throw invalidOption("options", options, 'are an object, such as { agentDir: "./agent" }')
  if (!PRESETS.includes(preset)) throw invalidOption("preset", preset, `is one of ${PRESETS.join(", ")}`)
}

function invalidOption(argument: string, value: unknown, claim: string): TreelogError<"InvalidArgumentError"> {
  const message = `${argument} of a FileSessionStorage ${claim}; it is ${JSON.stringify(value)}.`
  return new TreelogError("InvalidArgumentError", message, { argument, value })
}

/**
 * Sessions as files (FORMAT.md, section 1). A key is the absolute path of a session file. Making one touches no disk.
 */
export class FileSessionStorage implements SessionStorage {
  readonly leasesExpire = false
  /** Which sessions of the folder they are, in the name of the file with their summaries. */
  protected readonly sessionsAre: string = "sessions"
  readonly #options: FileSessionStorageOptions
  readonly #env: Env
  // What is beside the sessions, made when it is first needed: to open or to make a session needs none of it.
  #breadcrumbs: FileBreadcrumbs | undefined
  #summaries: SummaryCache | undefined
  #trash: FileTrash | undefined
  readonly #layout: Layout
  readonly #fs: FsPort
  readonly #orphans: OrphanRemover

  /** @throws InvalidArgumentError for a preset that is not one, and for a path in the place of the options */
  constructor(options: FileSessionStorageOptions = {}) {
    assertOptions(options)
    const env = options.env ?? process.env
    this.#options = options
    this.#env = env
    this.#fs = options.fs ?? nodeFs
    const { agentDir, sessionDir, preset } = options
    this.#layout = new Layout({ agentDir, sessionDir, preset, env, fs: this.#fs })
    this.#orphans = new OrphanRemover(this.#fs, this.#layout.sessionDir ?? this.#layout.sessionsDir, () =>
      this.#folders({}),
    )
  }

  get breadcrumbs(): FileBreadcrumbs {
    const given = this.#options.terminalId
    const terminalId = async () =>
      given === undefined ? terminalIdOf({ ttyPath: await ttyPath(), env: this.#env }) : cleaned(given)
    const { breadcrumbsDir, sessionDir } = this.#layout
    this.#breadcrumbs ??= new FileBreadcrumbs(this.#fs, this.#orphans, breadcrumbsDir, terminalId, sessionDir)
    return this.#breadcrumbs
  }

  get summaries(): SummaryCache | undefined {
    const cacheDir = this.#cacheDir
    if (cacheDir === undefined) return undefined
    if (!this.#summaries) {
      const store = [this.sessionsAre, this.#orphans.storeFolder] as const
      const onError = reportOnce(cacheDir, this.#options.onCacheError)
      const rows = new SessionRows(this.#fs, { cacheDir, store, onError })
      this.#summaries = new FileSummaries(this.#fs, { rows, list: (filter) => this.names(filter) })
    }
    return this.#summaries
  }

  /** Deleted sessions. `SessionManager.delete` removes for good. */
  get trash(): FileTrash {
    this.#trash ??= new FileTrash(this.#fs, this.#orphans, (cwd) => this.#folders({ cwd }))
    return this.#trash
  }

  /**
   * In a store of omp or xcsh it resolves links in the directory's name; otherwise it touches no disk.
   * @throws InvalidArgumentError when the id or the timestamp cannot be part of a file name
   */
  keyFor(place: SessionPlace): string {
    return this.#layout.keyFor(place)
  }

  /**
   * Where a session goes whose working directory is another one now: the same file name, in the bucket of that directory.
   * @param to the new directory
   */
  keyMoved(key: string, to: string): string {
    return this.#layout.keyMoved(key, to)
  }

  keyFromRef(ref: string): string | undefined {
    return this.#layout.keyFromRef(ref)
  }

  isInside(key: string): boolean {
    return this.#layout.isInside(key)
  }

  folderOf(key: string): string {
    return this.#layout.folderOf(key)
  }

  async stat(key: string): Promise<StorageStat | undefined> {
    return statSession(this.#fs, key)
  }

  async *list(filter: ListFilter = {}): AsyncGenerator<StoredName> {
    for await (const names of this.names(filter))
      for (const name of names) {
        filter.signal?.throwIfAborted()
        yield name
      }
  }

  /** What `list` yields, some at a time. */
  protected names(filter: ListFilter): AsyncIterable<readonly StoredName[]> {
    return listFolders(this.#fs, this.#folders(filter), filter)
  }

  parts(key: string): AsyncGenerator<StoredName> {
    return listParts(this.#fs, key)
  }

  /** By the names of the files: those that contain another id are skipped. */
  async *find(id: string, { signal }: Pick<ListFilter, "signal"> = {}): AsyncGenerator<StoredName> {
    for await (const name of this.list({ signal }))
      if (!name.error && (name.id === undefined || name.id === id)) yield name
  }

  readRange(key: string, offset: number, length: number, identity?: string, into?: Uint8Array): Promise<Uint8Array> {
    return withStorageErrors(key, "read", () => readRange(this.#fs, key, offset, length, identity, into))
  }

  async openRanges(key: string, identity: string): Promise<StoredRanges> {
    return openFileRanges(this.#fs, key, identity)
  }

  statSync(key: string): StorageStat | undefined {
    return statSession(this.#fs, key)
  }

  openRangesSync(key: string, identity: string): StoredRanges {
    return openFileRanges(this.#fs, key, identity)
  }

  leaseSync(key: string, options: LeaseOptions): SyncLease {
    return FileLease.takeSync(this.#fs, key, options, this.#orphans)
  }

  lease(key: string, options: LeaseOptions): Promise<Lease> {
    return FileLease.take(this.#fs, key, options, this.#orphans)
  }

  /** Under a lease, if there is something to add. */
  async addArtifacts(
    key: string,
    artifacts: AsyncIterable<SessionArtifact>,
    { replace = false }: { replace?: boolean } = {},
  ): Promise<AddedArtifacts> {
    let lease: FileLease | undefined
    const held = async () => {
      lease ??= await FileLease.take(this.#fs, key, { access: "exclusive", waitMs: 0 }, this.#orphans)
      return lease
    }
    try {
      const adding = () => addArtifacts(this.#fs, key, artifacts, { replace, lease: held })
      return await withStorageErrors(key, "compare the artifacts of", adding)
    } finally {
      await lease?.release()
    }
  }

  async *artifacts(key: string): AsyncGenerator<SessionArtifact> {
    const artifacts = readArtifacts(this.#fs, key)
    for (;;) {
      const { value, done } = await withStorageErrors(key, "read the artifacts of", () => artifacts.next())
      if (done) return
      yield value
    }
  }

  /**
   * Who holds the session for writing, found out without taking it, and without a write; undefined where no process does.
   * It may be another one by the time the answer is read.
   * @throws StorageError
   */
  holderOf(key: string): Promise<LeaseHolder | undefined> {
    return findHolder(this.#fs, key)
  }

  /**
   * Removes what killed processes left in the folders of sessions, of breadcrumbs and of the list cache: locks, sockets and temporary
   * files, of which it is sure that no process uses them. Yields the path of each, and the error of each folder that cannot be read.
   */
  async *removeOrphans(): AsyncGenerator<{ readonly path: string; readonly error?: Error }> {
    const sockets = orphanedSockets(this.#orphans.storeFolder)
    let isComplete = true
    for await (const { path: folder, error } of this.#foldersOfOrphans()) {
      isComplete &&= error === undefined
      if (error !== undefined) yield { path: folder, error }
      else
        try {
          const removed = await withStorageErrors(folder, "remove orphaned temporary files in", () =>
            removeOrphans(this.#fs, folder),
          )
          for (const path of removed) yield { path }
        } catch (fault) {
          if (!isTreelogError(fault)) throw fault
          isComplete = false
          yield { path: folder, error: fault }
        }
    }
    for (const path of isComplete ? sockets : []) {
      await this.#fs.rm(path, { recursive: true, force: true })
      yield { path }
    }
  }

  watch(key: string, signal: AbortSignal): AsyncIterable<void> {
    return watchFile(this.#fs, key, signal)
  }

  /** An absolute path; undefined where nothing is to be kept. */
  get #cacheDir(): string | undefined {
    const { cacheDir } = this.#options
    if (cacheDir === null) return undefined
    return cacheDir === undefined ? cacheFolderOf(this.#env) : resolve(withoutTilde(cacheDir, homeOf(this.#env)))
  }

  async *#foldersOfOrphans(): AsyncGenerator<Found> {
    yield* this.#folders({})
    yield { path: this.#layout.breadcrumbsDir }
    if (this.#cacheDir !== undefined) yield { path: rowsFolder(this.#cacheDir) }
  }

  /** Any folder may have sessions of a project. */
  async *#folders({ cwd, project }: ListFilter): AsyncGenerator<Found> {
    if (cwd !== undefined) assertFolder(cwd)
    const { sessionDir, sessionsDir, flatDir } = this.#layout
    if (flatDir !== undefined) yield { path: flatDir, hasOthers: true }
    if (sessionDir !== undefined) yield { path: sessionDir }
    else if (cwd === undefined || project !== undefined) yield* bucketsIn(this.#fs, sessionsDir)
    else for (const name of this.#layout.bucketNames(cwd)) yield { path: join(sessionsDir, name) }
  }
}
