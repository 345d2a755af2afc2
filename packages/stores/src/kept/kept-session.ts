import { basename, dirname, extname, join, sep } from "node:path"
import type { RestoredRows } from "@treelog/agents/databases"
import { type SessionSource, TreelogError } from "@treelog/session-core"
import { artifactsFolder } from "@treelog/storage-fs"
import { type FsPort, isStat, nodeFs, statMany, syncFolder } from "@treelog-internal/fs"
import type { AgentStorage } from "../agents/agent-storage.js"
import { folderOfFiles, storeNamed } from "../store-name.js"
import type { Surroundings } from "../surroundings.js"
import { filesAt, giveBack } from "./keep-files.js"

/** The folder with the copies of a store, and that of the store. Absolute paths. */
export interface KeptPlace {
  readonly folder: string
  readonly original: string
}

/** Where the copies are in a store of this name; undefined for one that has none. */
export function keptPlace(surroundings: Surroundings, name: string): KeptPlace | undefined {
  const store = storeNamed(surroundings, name)
  if (store.kind === "postgres" || !store.keptOf) return undefined
  return store.kind === "agent"
    ? { folder: store.folder, original: store.keptOf.folder }
    : { folder: folderOfFiles(store), original: folderOfFiles(store.keptOf) }
}

/** A session of which there is a copy. */
export interface KeptSession {
  readonly place: KeptPlace
  /** Of the store with the copy. */
  readonly storage: SessionSource
  /** Its key in there. */
  readonly key: string
  readonly id: string
}

/** What was given back. */
export interface GivenBack {
  /** Files that are there again. Absolute paths. */
  readonly files: readonly string[]
  /** Rows of a database that are there again. */
  readonly rows: number
  /** Rows that are there with another content, which stays. */
  readonly otherRows: number
  /** The file or the database where its agent finds it. An absolute path. */
  readonly path: string
}

/**
 * Puts a session back where its agent had it, byte for byte, or row for row in a database. Nothing that is there is changed.
 * @throws StorageError where another file has its place, or there is no database any more
 */
export async function restoreKept(session: KeptSession, fs: FsPort = nodeFs): Promise<GivenBack> {
  const { place, key } = session
  const pathOf = (copy: string): string => join(place.original, copy.slice(place.folder.length))
  const database = dirname(key)
  const [stat] = await statMany(fs, [database])
  if (isStat(stat) && stat.isFile()) {
    const { rows, others } = await restoreRows(database, pathOf(database), session.id)
    return { files: [], rows, otherRows: others, path: pathOf(database) }
  }
  const files: string[] = []
  // The file that makes it a session comes last.
  for (const copy of await filesOf(session, fs)) if (await giveBack(fs, copy, pathOf(copy))) files.push(pathOf(copy))
  return { files, rows: 0, otherRows: 0, path: pathOf(key) }
}

/** A shorter id may be part of other names. */
const SHORTEST_ID = 8

/** The copies of all files of a session, the one with its key last: those that its reader names, and all whose paths have its id. */
export async function filesOf({ place, storage, key, id }: KeptSession, fs: FsPort): Promise<string[]> {
  const filesAre = async (key: string): Promise<readonly string[]> =>
    "sourceFiles" in storage ? (storage as AgentStorage).sourceFiles(key) : [key]
  const found = new Set<string>(await filesAre(key))
  for await (const part of storage.parts(key)) for (const path of await filesAre(part.key)) found.add(path)
  const names = [...(await filesAt(fs, place.folder, ["."], (_, error) => throwIt(error))).keys()]
  const ids = new Set([id])
  // What a session has in folders of other names is called by its files in a folder of its own.
  for (const name of names) if (name.split("/").at(-2) === id) ids.add(basename(name, extname(name)))
  const isOwn = (name: string): boolean => {
    const parts = name.split("/")
    const isNamed = id.length >= SHORTEST_ID && parts.at(-1)?.includes(id) === true
    return isNamed || parts.slice(0, -1).some((part) => ids.has(part))
  }
  const artifacts = artifactsFolder(key)
  for (const name of names) {
    const path = join(place.folder, name)
    if (isOwn(name) || (artifacts !== undefined && path.startsWith(artifacts + sep))) found.add(path)
  }
  found.delete(key)
  const [own] = await statMany(fs, [key])
  return [...[...found].sort(), ...(isStat(own) ? [key] : [])]
}

function throwIt(error: Error): never {
  throw error
}

async function restoreRows(copy: string, path: string, id: string): Promise<RestoredRows> {
  const [{ restoreRows }, { loadDriver }] = await Promise.all([
    import("@treelog/agents/databases"),
    import("../agents/load-driver.js"),
  ])
  const [[stat], driver] = [await statMany(nodeFs, [path]), await loadDriver()]
  if (!isStat(stat) || !driver) {
    const why = driver ? "there is no database: start the agent once, and restore again" : "there is no SQLite"
    const data = { key: path, operation: "write", errno: undefined }
    throw new TreelogError("StorageError", `The session cannot be restored to ${path}: ${why}.`, data)
  }
  return restoreRows(driver, copy, path, id)
}

/** Removes the copy of a session for good. Its agent has it no more: else it would be kept again. */
export async function removeKept(session: KeptSession, fs: FsPort = nodeFs): Promise<void> {
  const database = dirname(session.key)
  const [stat] = await statMany(fs, [database])
  if (isStat(stat) && stat.isFile()) {
    const [{ removeRows }, { loadDriver }] = await Promise.all([
      import("@treelog/agents/databases"),
      import("../agents/load-driver.js"),
    ])
    const driver = await loadDriver()
    if (driver) removeRows(driver, database, session.id)
    return
  }
  const files = await filesOf(session, fs)
  // The file of the session goes first: what a killed process leaves beside it is then no session.
  for (const path of files.reverse()) await fs.unlink(path)
  for (const folder of new Set(files.map((path) => dirname(path)))) await syncFolder(fs, folder)
}
