import { dirname, join } from "node:path"
import { isTreelogError, TreelogError } from "@treelog/session-core"
import { parsedJson } from "@treelog/session-core/json"
import {
  type FsPort,
  isStat,
  makeDurableFolder,
  makeFolder,
  renameDurably,
  statMany,
  syncFolder,
  toStorageError,
  withStorageErrors,
  writeWhole,
} from "@treelog-internal/fs"
import { openAgent } from "../open-store.js"
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
import { PRESENT } from "./kept-stores.js"
import type { StoreToKeep } from "./stores-to-keep.js"

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

/** What was found and done. */
export interface KeptCounts {
  /** How many files of stores there are. */
  readonly files: number
  /** Files that were new, or had changed; databases of which rows had. */
  readonly changed: number
  /** Bytes that were written, without those of databases. */
  readonly bytes: number
  /** Files that are kept, and that their agents have no more. */
  readonly gone: number
  readonly failed: number
}

export type Sum = { -readonly [Name in keyof KeptCounts]: KeptCounts[Name] }

export interface KeeperOptions extends Surroundings {
  readonly signal?: AbortSignal | undefined
  /** Called with what happened to a file since the last time, but for new and longer ones. */
  readonly onChange?: (change: KeepChange) => void
  /** Called with what cannot be kept, and why; all else is kept nevertheless. */
  readonly onError?: (store: string, path: string, error: TreelogError) => void
}

/** What is known of a store besides its copies. */
interface State {
  /** Files that the agent has no more, as they were found last. */
  gone: string[]
  /** The versions of databases, by their paths, when they were kept last. */
  databases: Record<string, string>
}

/** Brings the copies of one store up to date. */
export class StoreKeeper {
  readonly #store: StoreToKeep
  readonly #root: string
  readonly #fs: FsPort
  readonly #options: KeeperOptions
  readonly #sum: Sum
  readonly #places: CopyPlaces
  #temporary = 0

  constructor(store: StoreToKeep, root: string, fs: FsPort, options: KeeperOptions, sum: Sum) {
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
    // A copy that the list lacks would be overwritten.
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
        await renameDurably(this.#fs, join(present, moved), join(present, name))
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
      await renameDurably(this.#fs, join(this.#places.present, name), former)
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
      await renameDurably(this.#fs, to, former)
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
    const isThere = isStat((await statMany(this.#fs, [path]))[0])
    const text = isThere ? await withStorageErrors(path, "read", () => bytesOf(this.#fs, path)) : ""
    // What cannot be read is found out again.
    return (parsedJson(text.toString()) as State | undefined) ?? { gone: [], databases: {} }
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
    await renameDurably(this.#fs, temporary, this.#statePath)
  }
}

function noDriver(key: string): TreelogError<"StorageError"> {
  const message = `${key} needs SQLite: run \`npm install better-sqlite3\`, or use Node 22.13 or newer, which includes it.`
  return new TreelogError("StorageError", message, { key, operation: "open", errno: undefined })
}
