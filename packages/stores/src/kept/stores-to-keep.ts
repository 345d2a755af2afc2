import { basename, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { identityOf, isFolder, isStat, nodeFs, statMany } from "@treelog-internal/fs"
import { type AgentStore, agentStores } from "../agent-stores.js"
import { programPlaces } from "../find-stores.js"
import { hideUrls } from "../hide-urls.js"
import { Look } from "../look.js"
import { agentsOf, isStoreName, placeOf, STORES } from "../programs.js"
import { type FilesName, folderOfFiles, keptName, storeNamed } from "../store-name.js"
import type { Surroundings } from "../surroundings.js"
import { keptFolder } from "./kept-stores.js"

interface WhichStores extends Surroundings {
  /** As `storeNamed` takes them. Default: those of all agents. */
  readonly stores?: readonly string[] | undefined
}

/** A store whose sessions are kept. */
export interface StoreToKeep extends Pick<AgentStore, "store" | "folder"> {
  /** Which of its files have sessions, or belong to some: paths in the folder. */
  readonly patterns: readonly string[]
  /** Whether what else is in the folder of a file belongs to its session. */
  readonly isByFolder: boolean
  /** Undefined where its sessions are files of pi's format. */
  readonly agent?: AgentStore
}

/**
 * The stores that are on this machine, or of which there are copies.
 * @param root the folder with the copies
 * @param onError called with a store that cannot be named, and why
 * @throws InvalidArgumentError for the name of no program and no agent
 */
export async function storesToKeep(
  which: WhichStores,
  root: string,
  onError: (store: string, error: unknown) => void,
): Promise<StoreToKeep[]> {
  const unknown = which.stores?.find((name) => !isStoreName(which, name))
  if (unknown !== undefined) {
    const message = `${hideUrls(unknown)} is no store of which copies are kept: name a program or an agent (${STORES.join(", ")}).`
    throw new TreelogError("InvalidArgumentError", message, { argument: "stores", value: hideUrls(unknown) })
  }
  return [...(await agentsToKeep(which, root)), ...(await filesToKeep(which, root, onError))]
}

/** The stores of agents that are on this machine, without copies. Two with the same folder are one. */
async function agentsToKeep(options: WhichStores, root: string): Promise<StoreToKeep[]> {
  const found = new Map<string, AgentStore>()
  const look = new Look(options)
  for (const agent of agentsOf(options))
    for await (const store of agentStores(options, agent, look)) {
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

function patternsOf(options: WhichStores, { agent, sessions, kept }: AgentStore): string[] {
  if (kept) return [...kept]
  const place = placeOf(options, agent)
  if (!place.kept || sessions[0] !== place.sessions) return [...sessions]
  // A database is what the store names it.
  return [...new Set([...place.kept, ...sessions.filter((each) => basename(each).includes("."))])]
}

/** The stores of pi and its relatives, and of treelog, that are on this machine: their sessions with their artifacts, and images. */
async function filesToKeep(
  options: WhichStores,
  root: string,
  onError: (store: string, error: unknown) => void,
): Promise<StoreToKeep[]> {
  const found = new Map<string, StoreToKeep>()
  const places = await programPlaces(options, onError)
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
