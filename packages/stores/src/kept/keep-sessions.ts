import { basename, dirname, join } from "node:path"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import {
  type FsPort,
  identityOf,
  isFolder,
  isStat,
  makeDurableFolder,
  makeFolder,
  nodeFs,
  statMany,
  syncFolder,
  toStorageError,
  withStorageErrors,
  writeWhole,
} from "@treelog-internal/fs"
import { type AgentStore, agentStores } from "../agent-stores.js"
import { programPlaces } from "../find-stores.js"
import { openAgent } from "../open-store.js"
import { agentsOf, placeOf } from "../programs.js"
import { type FilesName, folderOfFiles, keptName, storeNamed } from "../store-name.js"
import type { Surroundings } from "../surroundings.js"
import { beginsWith, bytesOf, isCurrentCopy, isDatabase } from "./compare-files.js"
import {
  type CopyPlaces,
  type FoundFiles,
  filesAt,
  freeFormer,
  type KeptAs,
  keepFile,
  withinSession,
} from "./keep-files.js"
import { keptFolder, ownRoot, PRESENT } from "./kept-stores.js"
import { fetchCopies, type RemoteObjects, type RemoteReport, sendCopies } from "./remote-copies.js"

/** What is kept, and where. */
export interface KeepOptions extends Surroundings {
  /** The folder with the copies. An absolute path. Default: treelog's own. */
  readonly into?: string
  /** Of which stores, as `storeNamed` takes them. Default: of all agents. */
  readonly stores?: readonly string[] | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort
  /** Where the copies are sent to, once they are up to date. Where that fails, `onError` is called with its name as the store. */
  readonly sendTo?: RemoteObjects | undefined
  readonly signal?: AbortSignal
  /** Called with what happened to a file since the last time, but for new and longer ones. */
  readonly onChange?: (change: KeepChange) => void
  /** Called with what cannot be kept, and why; all else is kept nevertheless. */
  readonly onError?: (store: string, path: string, error: TreelogError) => void
}

/** What happened to a file, or to sessions in a database. */
export interface KeepChange {
  readonly store: string
  /** `"gone"`: the agent has it no more. `"rewritten"`: it lacks something that it had, and what it was is in `former`. `"moved"`: it was renamed. */
  readonly change: "gone" | "rewritten" | "moved"
  /** Of the agent's file. An absolute path. */
  readonly path: string
  /** Where the former file is, or was. An absolute path. */
  readonly former?: string
}

/** What was done. */
export interface KeepReport {
  /** How many files of stores there are. */
  readonly files: number
  /** Files that were new, or had changed; databases of which rows had. */
  readonly changed: number
  /** Bytes that were written, without those of databases. */
  readonly bytes: number
  /** Files that are kept, and that their agents have no more. */
  readonly gone: number
  readonly failed: number
  /** What was sent; undefined where nothing could be, or was to be. */
  readonly sent?: RemoteReport
}

/**
 * Brings the copies of all sessions up to date. When it resolves, what the stores had when it began is on the disk.
 * @throws SessionBusyError while another process does so; StorageError where the folder cannot be written
 */
export function keepSessions(options: KeepOptions): Promise<KeepReport> {
  const { into: root = ownRoot(options), fs = nodeFs } = options
  return withCopies(options, async () => {
    const sum: Sum = { files: 0, changed: 0, bytes: 0, gone: 0, failed: 0 }
    for (const store of [...(await agentsToKeep(options, root)), ...(await filesToKeep(options, root, sum))]) {
      options.signal?.throwIfAborted()
      await new StoreKeeper(store, keptFolder(root, store.store), fs, options, sum).keep()
    }
    const sent = options.sendTo && (await send(options.sendTo, { ...options, root, fs }, sum))
    return { ...sum, ...(sent && { sent }) }
  })
}

async function send(
  objects: RemoteObjects,
  { root, fs, signal, onError = () => {} }: KeepOptions & { readonly root: string; readonly fs: FsPort },
  sum: Sum,
): Promise<RemoteReport | undefined> {
  const tell = (path: string, error: TreelogError) => onError(objects.name, path, error)
  try {
    const sent = await sendCopies({ fs, root, objects, signal, onError: tell })
    sum.failed += sent.failed
    return sent
  } catch (error) {
    // What is kept here is kept, whatever the network does.
    if (!isTreelogError(error)) throw error
    sum.failed += 1
    tell("", error)
    return undefined
  }
}

/**
 * Brings copies back that were sent from here, or from a machine that is no more: those that are not here.
 * @throws InvalidArgumentError where there are none; SessionBusyError while another process works on the copies; StorageError where they cannot be
 * reached or written: the next time brings the rest
 */
export function bringCopiesBack(
  options: Pick<KeepOptions, "env" | "cwd" | "into" | "fs" | "signal" | "onError"> & { readonly from: RemoteObjects },
): Promise<RemoteReport> {
  const { into: root = ownRoot(options), fs = nodeFs, from, signal, onError = () => {} } = options
  const tell = (path: string, error: TreelogError) => onError(from.name, path, error)
  return withCopies(options, () => fetchCopies({ fs, root, objects: from, signal, onError: tell }))
}

/** One process at a time works on the copies in a folder. */
async function withCopies<Result>(
  options: Pick<KeepOptions, "env" | "cwd" | "into" | "fs">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { into: root = ownRoot(options), fs = nodeFs, env } = options
  await withStorageErrors(root, "make", () => makeDurableFolder(fs, root))
  const storage = new FileSessionStorage({ agentDir: root, sessionDir: root, env, cacheDir: null })
  const lock = await storage.lease(join(root, "keep.jsonl"), { access: "exclusive", waitMs: 0 })
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/** A store whose sessions are kept. */
interface StoreToKeep extends Pick<AgentStore, "store" | "folder"> {
  /** Which of its files have sessions, or belong to some: paths in the folder. */
  readonly patterns: readonly string[]
  /** Whether what else is in the folder of a file belongs to its session. */
  readonly isByFolder: boolean
  /** Undefined where its sessions are files of pi's format. */
  readonly agent?: AgentStore
}

/** The stores of agents that are on this machine, without copies. Two with the same folder are one. */
async function agentsToKeep(options: KeepOptions, root: string): Promise<StoreToKeep[]> {
  const found = new Map<string, AgentStore>()
  for (const agent of agentsOf(options))
    for await (const store of agentStores(options, agent)) {
      // One whose folder is gone has copies.
      const isKept = !store.keptOf && (await isFolder(keptFolder(root, store.store)))
      if (store.keptOf || (options.stores && !options.stores.includes(store.store))) continue
      const stats = await statMany(
        nodeFs,
        store.sessions.map((each) => join(store.folder, each)),
      )
      const own = stats.filter(isStat).map(identityOf)
      if (own.length === 0 && isKept) found.set(store.store, store)
      else if (!own.some((identity) => found.has(identity))) for (const one of own) found.set(one, store)
    }
  return [...new Set(found.values())].map((agent) => ({
    ...{ store: agent.store, folder: agent.folder, agent },
    patterns: patternsOf(options, agent),
    isByFolder: placeOf(options, agent.agent).isKeptByFolder === true,
  }))
}

function patternsOf(options: KeepOptions, { agent, sessions }: AgentStore): string[] {
  const place = placeOf(options, agent)
  if (!place.kept || sessions[0] !== place.sessions) return [...sessions]
  // A database is what the store names it.
  return [...new Set([...place.kept, ...sessions.filter((each) => basename(each).includes("."))])]
}

/** The stores of pi and its relatives, and of treelog, that are on this machine: their sessions with their artifacts, and images. */
async function filesToKeep(options: KeepOptions, root: string, sum: Sum): Promise<StoreToKeep[]> {
  const found = new Map<string, StoreToKeep>()
  const places = await programPlaces(options, (store, error) => {
    if (!isTreelogError(error)) throw error
    sum.failed += 1
    options.onError?.(store, "", error)
  })
  for (const { store: name, sessions } of places) {
    const files = storeNamed(options, name) as FilesName
    const store = keptName(name, files)
    if (options.stores && !options.stores.includes(name)) continue
    const [stat] = await statMany(nodeFs, [sessions])
    const identity = isStat(stat) ? identityOf(stat) : (await isFolder(keptFolder(root, store))) ? store : undefined
    const patterns = [files.sessionDir === undefined ? "sessions" : "*.jsonl", "20*T*_*", "blobs"]
    if (identity !== undefined && !found.has(identity))
      found.set(identity, { store, folder: folderOfFiles(files), patterns, isByFolder: false })
  }
  return [...found.values()]
}

type Sum = { -readonly [Name in Exclude<keyof KeepReport, "sent">]: KeepReport[Name] }

/** What is known of a store besides its copies. */
interface State {
  /** Files that the agent has no more, as they were found last. */
  gone: string[]
  /** The versions of databases, by their paths, when they were kept last. */
  databases: Record<string, string>
}

/** Brings the copies of one store up to date. */
class StoreKeeper {
  readonly #store: StoreToKeep
  readonly #root: string
  readonly #fs: FsPort
  readonly #options: KeepOptions
  readonly #sum: Sum
  readonly #places: CopyPlaces
  #temporary = 0

  constructor(store: StoreToKeep, root: string, fs: FsPort, options: KeepOptions, sum: Sum) {
    this.#store = store
    this.#root = root
    this.#fs = fs
    this.#options = options
    this.#sum = sum
    this.#places = {
      fs,
      present: join(root, PRESENT),
      formerAt: (number) => join(root, `former-${number}`),
      newTemporary: () => join(root, "temporary", String(this.#temporary++)),
      isByFolder: store.isByFolder,
    }
  }

  /** @throws errors that are none of files */
  async keep(): Promise<void> {
    try {
      await this.#keepAll()
    } catch (error) {
      this.#fail(this.#root, error)
    }
  }

  async #keepAll(): Promise<void> {
    const { folder } = this.#store
    const { present } = this.#places
    await this.#fs.rm(join(this.#root, "temporary"), { recursive: true, force: true })
    const files = await filesAt(this.#fs, folder, this.#store.patterns, (path, error) => this.#fail(path, error))
    // A copy that nobody knows of would be overwritten.
    const copies = await filesAt(this.#fs, present, ["."], (path, error) => {
      throw toStorageError(error, path, "list")
    })
    this.#sum.files += files.size
    const state = await this.#readState()
    const before = JSON.stringify(state)
    const gone = new Set([...copies.keys()].filter((name) => !files.has(name)))
    for (const [name, stat] of files) {
      this.#options.signal?.throwIfAborted()
      const path = join(folder, name)
      const copy = copies.get(name)
      try {
        if (copy && isCurrentCopy(stat, copy)) continue
        const isKnown = name in state.databases
        if (isKnown || (await isDatabase(this.#fs, path))) await this.#keepDatabase(path, name, state)
        else await this.#keepFile(path, name, stat, { copies, gone })
      } catch (error) {
        this.#fail(path, error)
      }
    }
    await this.#setAsideMoved(files, gone)
    for (const name of gone) if (!state.gone.includes(name)) this.#tell("gone", join(folder, name))
    state.gone = [...gone].sort()
    this.#sum.gone += gone.size
    if (JSON.stringify(state) !== before) await this.#writeState(state)
  }

  async #keepFile(
    path: string,
    name: string,
    stat: { readonly size: bigint },
    { copies, gone }: { copies: FoundFiles; gone: Set<string> },
  ): Promise<void> {
    const { present } = this.#places
    let copy = copies.get(name)
    if (!copy) {
      const moved = await this.#movedFrom(path, name, stat, { copies, gone })
      if (moved !== undefined) {
        const to = join(present, name)
        await makeDurableFolder(this.#fs, dirname(to))
        await this.#fs.rename(join(present, moved), to)
        await syncFolder(this.#fs, dirname(to))
        gone.delete(moved)
        copy = copies.get(moved)
        this.#tell("moved", path, join(this.#store.folder, moved))
      }
    }
    await makeDurableFolder(this.#fs, join(this.#root, "temporary"))
    const kept = await keepFile(this.#places, path, name, copy)
    if (!kept) return
    this.#count(kept.as, kept.bytes)
    if (kept.former !== undefined) this.#tell("rewritten", path, kept.former)
  }

  /** A session that is elsewhere now, with other bytes, would hide its copy: that becomes a former one. */
  async #setAsideMoved(files: FoundFiles, gone: Set<string>): Promise<void> {
    const present = new Map([...files.keys()].map((name) => [withinSession(name), name]))
    for (const name of gone) {
      const other = present.get(withinSession(name))
      if (other === undefined) continue
      const former = await freeFormer(this.#places, name)
      await makeDurableFolder(this.#fs, dirname(former))
      await this.#fs.rename(join(this.#places.present, name), former)
      await syncFolder(this.#fs, dirname(former))
      gone.delete(name)
      this.#tell("rewritten", join(this.#store.folder, other), former)
    }
  }

  /** A file that is gone from where it was, with the same name and the beginning of this one, has been moved. */
  async #movedFrom(
    path: string,
    name: string,
    { size }: { readonly size: bigint },
    { copies, gone }: { copies: FoundFiles; gone: Set<string> },
  ): Promise<string | undefined> {
    for (const one of gone) {
      const copy = copies.get(one)
      if (withinSession(one) !== withinSession(name) || !copy || copy.size === 0n || copy.size > size) continue
      if (await beginsWith(this.#fs, path, join(this.#places.present, one))) return one
    }
    return undefined
  }

  #count(as: KeptAs, bytes: number): void {
    this.#sum.changed += as === "grown" && bytes === 0 ? 0 : 1
    this.#sum.bytes += bytes
  }

  #tell(change: KeepChange["change"], path: string, former?: string): void {
    this.#options.onChange?.({ store: this.#store.store, change, path, ...(former !== undefined && { former }) })
  }

  /** @throws errors that are none of files */
  #fail(path: string, error: unknown): void {
    const fault = toStorageError(error, path, "keep")
    if (!isTreelogError(fault)) throw fault
    this.#sum.failed += 1
    this.#options.onError?.(this.#store.store, path, fault as TreelogError)
  }

  async #keepDatabase(path: string, name: string, state: State): Promise<void> {
    const [{ databaseVersion, keepRows, storeFormerRows, textOf }, { loadDriver }, { losesText }] = await Promise.all([
      import("@treelog/agents/databases"),
      import("../agents/load-driver.js"),
      import("./compare-files.js"),
    ])
    if (state.databases[name] === databaseVersion(path)) return
    const driver = await loadDriver()
    if (!driver) throw noDriver(path)
    const to = join(this.#places.present, name)
    await makeDurableFolder(this.#fs, dirname(to))
    const bytesOfRow = (row: object): Uint8Array =>
      Buffer.from(
        Object.values(row)
          .map((value) => (typeof value === "string" ? value : textOf(value)))
          .join("\n"),
      )
    const keep = () =>
      keepRows({
        driver,
        from: path,
        to,
        loses: (before, now) => losesText(bytesOfRow(before), bytesOfRow(now)),
        onLost: async (lost) => {
          const ids = await this.#idsIn(to)
          const pathOf = (number: number): string => {
            const path = join(this.#places.formerAt(number), name)
            makeFolder(this.#fs, dirname(path))
            return path
          }
          const sessions = storeFormerRows(driver, to, lost, ids, pathOf)
          for (const id of sessions) this.#tell("rewritten", `${path}/${id}`, pathOf(1))
        },
      })
    let kept = await keep()
    if (kept?.isOther) {
      // Tables that the agent made anew, as one does that has become a newer version: what was there is complete in itself.
      const former = await freeFormer(this.#places, name)
      await makeDurableFolder(this.#fs, dirname(former))
      await this.#fs.rename(to, former)
      await syncFolder(this.#fs, dirname(former))
      this.#tell("rewritten", path, former)
      kept = await keep()
    }
    await syncFolder(this.#fs, dirname(to))
    if (kept?.version === undefined) delete state.databases[name]
    else state.databases[name] = kept.version
    if (kept && kept.rows > 0) this.#sum.changed += 1
  }

  /** The ids of all sessions in the copy. */
  async #idsIn(database: string): Promise<string[]> {
    const { agent } = this.#store
    // Files of pi's format are no databases.
    if (!agent) return []
    const copy = { ...agent, store: `${agent.store}:copy`, folder: this.#places.present, variables: undefined }
    const storage = await openAgent(copy, this.#options)
    const ids: string[] = []
    for await (const { key, id } of storage.list({ parts: true }))
      if (id !== undefined && key.startsWith(database)) ids.push(id)
    return ids
  }

  get #statePath(): string {
    return join(this.#root, "state.json")
  }

  async #readState(): Promise<State> {
    const path = this.#statePath
    if (!isStat((await statMany(this.#fs, [path]))[0])) return { gone: [], databases: {} }
    try {
      return JSON.parse((await bytesOf(this.#fs, path)).toString())
    } catch (error) {
      // It is found out again.
      if (error instanceof SyntaxError) return { gone: [], databases: {} }
      throw toStorageError(error, path, "read")
    }
  }

  async #writeState(state: State): Promise<void> {
    const temporary = this.#places.newTemporary()
    await makeDurableFolder(this.#fs, dirname(temporary))
    const file = await this.#fs.open(temporary, "w", 0o600)
    try {
      await writeWhole(file, Buffer.from(JSON.stringify(state)), 0)
      await file.sync()
    } finally {
      await file.close()
    }
    await this.#fs.rename(temporary, this.#statePath)
    await syncFolder(this.#fs, this.#root)
  }
}

function noDriver(key: string): TreelogError<"StorageError"> {
  const message = `${key} needs SQLite: run \`npm install better-sqlite3\`, or use Node 22.13 or newer, which includes it.`
  return new TreelogError("StorageError", message, { key, operation: "open", errno: undefined })
}
