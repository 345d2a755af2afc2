import { join } from "node:path"
import { ompFolders } from "@treelog/storage-fs"
import { absoluteFolder, identityOf, isFolder, isStat, matchingPaths, nodeFs, statMany } from "@treelog-internal/fs"
import { type AgentStore, agentStores, type UnreadFiles } from "./agent-stores.js"
import { Look } from "./look.js"
import { piProjectDir } from "./pi-session-dir.js"
import { agentsOf, isFileProgram, PROGRAMS, RELATIVES } from "./programs.js"
import { type FilesName, ownFolder, PI_DEFAULT, PI_PROJECT, storeNamed } from "./store-name.js"
import type { Surroundings } from "./surroundings.js"
import { windowsSides } from "./windows-side.js"

/** Where the sessions of a store are, if there are any. */
export interface StorePlace {
  /** As `storeNamed` takes it: `pi`, `omp:work`, `claude-code`, `opencode:dev`. */
  readonly store: string
  /** A folder or a database. An absolute path. */
  readonly sessions: string
  /** Others with sessions of the same store: archives, what older versions wrote. Absolute paths. */
  readonly alsoSessions?: readonly string[]
  /** The store, if it is one of an agent. */
  readonly agent?: AgentStore
}

/** Called with the name of a store that cannot be looked at, and why; the others are found nevertheless. */
export type OnStoreError = (store: string, error: unknown) => void

/**
 * Every place where a program or an agent would have its sessions on this machine, whether they are there or not.
 * @param look for whatever else is looked for at the same moment
 */
export async function storePlaces(
  surroundings: Surroundings,
  onError: OnStoreError = () => {},
  look = new Look(surroundings),
): Promise<StorePlace[]> {
  const places = await programPlaces(surroundings, onError)
  for (const name of agentsOf(surroundings))
    try {
      for await (const agent of agentStores(surroundings, name, look)) {
        const [sessions, ...alsoSessions] = agent.sessions.map((each) => join(agent.folder, each)) as [string]
        places.push({ store: agent.store, sessions, alsoSessions, agent })
      }
    } catch (error) {
      onError(name, error)
    }
  for (const { store, of, folder } of look.kept) if (isFileProgram(of)) places.push({ store, sessions: folder })
  for (const { path, error } of surroundings.plugIns?.faults ?? []) onError(path, error)
  return places
}

/** Sessions of programs whose stores are read and written: on the side of Windows, locks of this side do not hold, and they are only named. */
export async function unreadPrograms(
  surroundings: Surroundings,
  onError: OnStoreError = () => {},
): Promise<UnreadFiles[]> {
  const found: UnreadFiles[] = []
  for (const side of windowsSides(surroundings))
    for (const { store, sessions } of await programPlaces(side.surroundings, onError))
      if (await isFolder(sessions))
        found.push({
          store,
          path: sessions,
          why: `sessions of ${store} on Windows: name the folder that contains it with --store`,
        })
  return found
}

/** Where the programs have their sessions whose files have pi's format. */
export async function programPlaces(surroundings: Surroundings, onError: OnStoreError): Promise<StorePlace[]> {
  const places: StorePlace[] = []
  const add = async (store: string, placeOf: () => Placed | Promise<Placed>): Promise<void> => {
    const [answer] = await Promise.allSettled([Promise.resolve().then(placeOf)])
    if (answer.status === "rejected") onError(store, answer.reason)
    else places.push({ store, ...answer.value })
  }
  const filesOf = (store: string) => async (): Promise<Placed> => {
    const { agentDir, sessionDir } = storeNamed(surroundings, store) as FilesName
    if (sessionDir !== undefined) return { sessions: sessionDir }
    const flat = store === "pi" || store === PI_DEFAULT ? await flatFile(agentDir) : undefined
    return { sessions: join(agentDir, "sessions"), ...(flat !== undefined && { alsoSessions: [flat] }) }
  }
  for (const program of PROGRAMS) await add(program, filesOf(program))
  const [usual, pi] = [absoluteFolder(surroundings, "~/.pi/agent/sessions"), places.find(({ store }) => store === "pi")]
  if (pi && pi.sessions !== usual) await add(PI_DEFAULT, filesOf(PI_DEFAULT))
  const [ofProject] = await Promise.allSettled([Promise.resolve(surroundings).then(piProjectDir)])
  if (ofProject.status === "rejected") onError(PI_PROJECT, ofProject.reason)
  else if (ofProject.value !== undefined && ofProject.value !== pi?.sessions) await add(PI_PROJECT, filesOf(PI_PROJECT))
  const [names] = await Promise.allSettled([profileNames(surroundings)])
  if (names.status === "rejected") onError("omp", names.reason)
  else
    for (const name of names.value)
      await add(`omp:${name}`, () => ({ sessions: join(ownFolder(surroundings, "omp", name), "sessions") }))
  for (const relative of RELATIVES) await add(relative, filesOf(relative))
  return places
}

/** Finds the stores of all programs and agents on this machine, as `storesAt` does. */
export async function findStores(surroundings: Surroundings, onError: OnStoreError = () => {}): Promise<string[]> {
  return storesAt(await storePlaces(surroundings, onError), onError)
}

/**
 * The stores that are there, without opening them and without loading their code. Two with the same folder, such as by a link, are one.
 * @returns their names, as `storeNamed` takes them
 */
export async function storesAt(places: readonly StorePlace[], onError: OnStoreError = () => {}): Promise<string[]> {
  const found = new Map<string, string>()
  for (const { store, sessions, alsoSessions = [] } of places)
    for (const stat of await statMany(nodeFs, [sessions, ...alsoSessions])) {
      if (isStat(stat) && !found.has(identityOf(stat))) found.set(identityOf(stat), store)
      else if (stat instanceof Error) onError(store, stat)
    }
  return [...new Set(found.values())]
}

type Placed = Pick<StorePlace, "sessions" | "alsoSessions">

/** A session among the other files of pi, where one of its versions put them. */
async function flatFile(agentDir: string): Promise<string | undefined> {
  for await (const { path } of matchingPaths(nodeFs, agentDir, "20*T*_*.jsonl")) return path
  return undefined
}

async function profileNames(surroundings: Surroundings): Promise<string[]> {
  const names = new Set<string>()
  for (const omp of ompFolders(surroundings.env)) {
    const folder = absoluteFolder(surroundings, join(omp, "profiles"))
    if (await isFolder(folder)) for (const { name } of await nodeFs.readdir(folder)) names.add(name)
  }
  return [...names].sort()
}
