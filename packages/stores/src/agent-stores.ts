import { isAbsolute, join, sep } from "node:path"
import type { AgentPlace } from "@treelog/agents/places"
import { TreelogError } from "@treelog/session-core"
import {
  absoluteFolder,
  folderByVariables,
  isStat,
  matchingPaths,
  nodeFs,
  sessionsByVariables,
  statMany,
} from "@treelog-internal/fs"
import { AGENTS, type Agent, placeOf } from "./programs.js"
import type { Surroundings } from "./surroundings.js"

/** Where the sessions of an agent are: its own store, or one beside it. */
export interface AgentStore {
  readonly agent: Agent
  /** As `storeNamed` takes it: `opencode`, `opencode:dev`. */
  readonly store: string
  /** An absolute path. */
  readonly folder: string
  /** What has its sessions in there; without any of them there is no store. */
  readonly sessions: readonly [string, ...string[]]
  /** The variables with which the agent uses this store; undefined where none makes it do so. */
  readonly variables: Readonly<Record<string, string>> | undefined
}

type Other = NonNullable<AgentPlace["others"]>[number]

/** What the `*` of a folder may stand for in the name of a store. */
const OTHER_NAME = /^[\p{L}\p{N}_][\p{L}\p{N} _.+@-]*$/u

/** The store of an agent with this name, whether it is there or not; undefined for another name. */
export function agentStoreNamed(surroundings: Surroundings, store: string): AgentStore | undefined {
  const [name, ...rest] = store.split(":")
  const agent = AGENTS.find((each) => each === name)
  if (!agent) return undefined
  const [others, own] = [placeOf(agent).others ?? [], rest.join(":")]
  const listed = ownStores(surroundings, agent).find((each) => each.store === store)
  if (listed || rest.length === 0) return listed
  const other = others.find((each) => each.name === own) ?? others.find((each) => each.name === undefined)
  return other && OTHER_NAME.test(own) ? otherStore(surroundings, agent, other, own) : undefined
}

/** That of an agent, and those of the other folders that its variable lists. */
function ownStores(surroundings: Surroundings, agent: Agent): AgentStore[] {
  const place = placeOf(agent)
  const { folder: named, sessions } = sessionsByVariables(surroundings.env, place)
  const all = [sessions, ...(place.alsoSessions ?? [])] as const
  const folders = place.listsFolders ? named.split(",").filter((part) => part.trim() !== "") : [named]
  return folders.map((each, at) => {
    const folder = absoluteFolder(surroundings, named === each ? each : each.trim())
    const variables = named === each ? {} : folderVariable(agent, folder)
    return { agent, store: at === 0 ? agent : `${agent}:${at + 1}`, folder, sessions: all, variables }
  })
}

/** With what an agent uses another folder. */
function folderVariable(agent: Agent, folder: string): Record<string, string> | undefined {
  const [, variable] = /^\$(\w+)$/.exec(placeOf(agent).folders[0] ?? "") ?? []
  return variable === undefined ? undefined : { [variable]: folder }
}

/** @param name what `*` stands for. Undefined where the variables of its folder are not set */
function otherStore(surroundings: Surroundings, agent: Agent, other: Other, name: string): AgentStore | undefined {
  const { folders, sessions, alsoSessions = [], sessionsVariable } = placeOf(agent)
  const named = (pattern: string): string => pattern.replace("*", () => name)
  const found = folderByVariables(surroundings.env, other.folders ?? folders)
  if (found === undefined) return undefined
  const folder = absoluteFolder(surroundings, named(found))
  const own = other.sessions === undefined ? ([sessions, ...alsoSessions] as const) : ([named(other.sessions)] as const)
  const variables = other.folders
    ? folderVariable(agent, folder)
    : sessionsVariable && { [sessionsVariable]: join(folder, own[0]) }
  return { agent, store: `${agent}:${name}`, folder, sessions: own, variables: variables || undefined }
}

/**
 * The stores of an agent: its own and those with fixed names, whether they are there or not, and those that are named by what is there. One that
 * is its own is none of the others.
 * @throws StorageError; InvalidArgumentError for one that is there and whose name can be no name of a store
 */
export async function* agentStores(surroundings: Surroundings, agent: Agent): AsyncGenerator<AgentStore> {
  const own = ownStores(surroundings, agent)
  yield* own
  const isOwn = ({ folder, sessions }: AgentStore): boolean =>
    own.some((each) => each.folder === folder && each.sessions[0] === sessions[0])
  const names = new Set(own.map(({ store }) => store.slice(agent.length + 1)))
  for (const other of placeOf(agent).others ?? [])
    for (const name of other.name === undefined ? await namesOf(surroundings, agent, other) : [other.name]) {
      const store = names.has(name) ? undefined : otherStore(surroundings, agent, other, name)
      names.add(name)
      if (store && !isOwn(store)) yield store
    }
}

/** What the `*` of a store stands for, of those that are there. */
async function namesOf(surroundings: Surroundings, agent: Agent, other: Other): Promise<string[]> {
  const pattern = otherStore(surroundings, agent, other, "*")
  if (!pattern) return []
  const { folder, sessions } = pattern
  const parts = join(folder, sessions[0]).split(sep)
  const star = parts.findIndex((part) => part.includes("*"))
  const [at, rest] = [parts.slice(0, star).join(sep), parts.slice(star).join("/")]
  const names: string[] = []
  for await (const { path, stars } of matchingPaths(nodeFs, at, rest)) {
    const [own = ""] = stars
    if (!isStat((await statMany(nodeFs, [path]))[0])) continue
    if (!OTHER_NAME.test(own)) {
      const message = `${path} is not read: ${JSON.stringify(own)} can be no name of a store.`
      throw new TreelogError("InvalidArgumentError", message, { argument: "store", value: own })
    }
    names.push(own)
  }
  return names
}

/** Files of an agent that may have sessions, and are not read. */
export interface UnreadFiles {
  /** The store in whose folder they are, or would be. */
  readonly store: string
  /** The file, or the folder of several. An absolute path. */
  readonly path: string
  readonly why: string
}

/** What is on this machine of an agent's sessions and not read. @throws StorageError */
export async function unreadFiles(surroundings: Surroundings, stores: Iterable<AgentStore>): Promise<UnreadFiles[]> {
  const found = new Map<string, UnreadFiles>()
  for (const { agent, store, folder } of stores)
    for (const { path: pattern, why, unless } of placeOf(agent).unread ?? []) {
      const isOwn = !pattern.startsWith("~") && !isAbsolute(pattern)
      const [at, rest] = isOwn ? [folder, pattern] : [absoluteFolder(surroundings, "~"), pattern.slice(2)]
      const parts = rest.split("/")
      const star = parts.findIndex((part) => part.includes("*"))
      const path = join(at, ...(star === -1 ? parts : parts.slice(0, star)))
      if (found.has(path) || (unless !== undefined && (await isAny(at, unless)))) continue
      if (await isAny(at, rest)) found.set(path, { store, path, why })
    }
  return [...found.values()]
}

async function isAny(at: string, pattern: string): Promise<boolean> {
  for await (const { path } of matchingPaths(nodeFs, at, pattern))
    if (isStat((await statMany(nodeFs, [path]))[0])) return true
  return false
}
