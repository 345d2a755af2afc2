import { existsSync } from "node:fs"
import { isAbsolute, join, sep } from "node:path"
import type { AgentPlace } from "@treelog/agents/places"
import { TreelogError } from "@treelog/session-core"
import {
  absoluteFolder,
  folderByVariables,
  isStat,
  matchingPaths,
  sessionsByVariables,
  statMany,
} from "@treelog-internal/fs"
import { isKeptStore, type KeptStore } from "./kept/kept-stores.js"
import { Look } from "./look.js"
import { type Agent, agentOfProgram, agentsOf, placeOf } from "./programs.js"
import { settingFolders, valuesIn } from "./setting-folders.js"
import type { Surroundings } from "./surroundings.js"
import type { WindowsSide } from "./windows-side.js"

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
  /** The store that it has copies of, which `keep` made. */
  readonly keptOf?: AgentStore
  /** What `keep` copies of it. Default: as the place of the agent says, or its sessions. */
  readonly kept?: readonly string[]
  /** Whether an app has it, and the command of the agent none of its sessions. */
  readonly isOfApp?: boolean
  /** Whose it is, where that is not the one who runs this. An absolute path. */
  readonly home?: string
}

type Other = NonNullable<AgentPlace["others"]>[number]

/** Beside the store of an agent: the usual one, where a variable names another, and what its place lists. */
function othersOf(surroundings: Surroundings, agent: Agent): Other[] {
  const { folders, others = [] } = placeOf(surroundings, agent)
  return [{ name: "default", folders: folders.slice(-1) }, ...others]
}

/** What the `*` of a folder may stand for in the name of a store. */
const OTHER_NAME = /^[\p{L}\p{N}_][\p{L}\p{N} _.+@-]*$/u

/** The store of an agent with this name, whether it is there or not; undefined for another name. */
export function agentStoreNamed(surroundings: Surroundings, store: string): AgentStore | undefined {
  const [name, ...rest] = store.split(":")
  const agent = agentsOf(surroundings).find((each) => each === name)
  if (!agent) return undefined
  const own = rest.join(":")
  const look = new Look(surroundings)
  if (isKeptStore(store)) {
    const kept = look.kept.find((each) => each.store === store)
    return kept && ofKept(surroundings, agent, kept)
  }
  const side = own.startsWith("windows-") ? sideOf(look, own) : undefined
  if (side) {
    const there = own === side.name ? agent : `${agent}:${own.slice(side.name.length + 1)}`
    const found = agentStoreNamed(side.surroundings, there)
    return found && ofSide(side, found)
  }
  const listed = ownStores(surroundings, agent).find((each) => each.store === store)
  if (listed || rest.length === 0 || !OTHER_NAME.test(own)) return listed
  const [isCustom, base] = CUSTOM.exec(own) ?? []
  const ofBase = isCustom && agentStoreNamed(surroundings, base === undefined ? agent : `${agent}:${base}`)
  const custom = ofBase ? customStores(look, ofBase).find((each) => each.store === store) : undefined
  const named = othersOf(surroundings, agent)
    .filter((each) => each.name === own || each.name === undefined)
    .sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined))
    .flatMap((each) => otherStore(surroundings, agent, each, own) ?? [])
  return custom ?? named.find(isThere) ?? named[0]
}

function isThere({ folder, sessions }: AgentStore): boolean {
  return sessions.some((each) => existsSync(join(folder, each)))
}

/** The name of a store in a folder that a setting names, behind that of the store whose setting it is: `custom`, `Cursor custom-2`. */
const CUSTOM = /^(?:(.*) )?custom(?:-\d+)?$/

/** Stores in the folders that settings name in the place of the one of a store. @throws StorageError */
function customStores(look: Look, { agent, store, folder, sessions }: AgentStore): AgentStore[] {
  const { surroundings } = look
  const { folderSettings } = placeOf(surroundings, agent)
  if (!folderSettings) return []
  const { names, file } = folderSettings
  const before = store === agent ? `${agent}:` : `${store} `
  const named =
    file === undefined
      ? // The folder of an extension is `globalStorage/ID` in the one of the user.
        settingFolders(look, join(folder, "..", ".."), names)
      : valuesIn(look, [join(folder, file)], names).map((value) => absoluteFolder(surroundings, value))
  return named.map((folder, at) => {
    const variables = folderVariable(surroundings, agent, folder)
    return { agent, store: `${before}custom${at === 0 ? "" : `-${at + 1}`}`, folder, sessions, variables }
  })
}

/** The store of an agent, and those of the other folders that its variable lists. */
function ownStores(surroundings: Surroundings, agent: Agent): AgentStore[] {
  const place = placeOf(surroundings, agent)
  const { folder: named, sessions } = sessionsByVariables(surroundings.env, place)
  const all = [sessions, ...(place.alsoSessions ?? [])] as const
  const listed = place.listsFolders ? named.split(",").filter((part) => part.trim() !== "") : [named]
  const trimmed = listed.map((each) => (named === each ? each : each.trim()))
  // One that is listed twice is one store.
  const folders = [...new Set(trimmed.map((each) => absoluteFolder(surroundings, each)))]
  return folders.map((folder, at) => {
    const variables = named === trimmed[0] ? {} : folderVariable(surroundings, agent, folder)
    return { agent, store: at === 0 ? agent : `${agent}:${at + 1}`, folder, sessions: all, variables }
  })
}

/** With what an agent uses another folder. */
function folderVariable(surroundings: Surroundings, agent: Agent, folder: string): Record<string, string> | undefined {
  const [, variable] = /^\$(\w+)$/.exec(placeOf(surroundings, agent).folders[0] ?? "") ?? []
  return variable === undefined ? undefined : { [variable]: folder }
}

/** @param name what `*` stands for. Undefined where the variables of its folder are not set */
function otherStore(surroundings: Surroundings, agent: Agent, other: Other, name: string): AgentStore | undefined {
  const { folders, sessions, alsoSessions = [], sessionsVariable } = placeOf(surroundings, agent)
  const named = (pattern: string): string => pattern.replace("*", () => name)
  const found = folderByVariables(surroundings.env, other.folders ?? folders)
  if (found === undefined) return undefined
  const folder = absoluteFolder(surroundings, named(found))
  const own = other.sessions === undefined ? ([sessions, ...alsoSessions] as const) : ([named(other.sessions)] as const)
  const { kept, isOfApp = false } = other
  const more = { ...(kept && { kept }), ...(isOfApp && { isOfApp }) }
  const variables = other.folders
    ? folderVariable(surroundings, agent, folder)
    : sessionsVariable && { [sessionsVariable]: join(folder, own[0]) }
  const used = isOfApp ? undefined : variables || undefined
  return { agent, store: `${agent}:${name}`, folder, sessions: own, variables: used, ...more }
}

function sideOf(look: Look, name: string): WindowsSide | undefined {
  return look.sides.find((side) => name === side.name || name.startsWith(`${side.name} `))
}

/** A store on the side of Windows: `codex:windows-ada`, and of `codex:work` there `codex:windows-ada work`. An agent on this side does not write there. */
function ofSide({ name, surroundings }: WindowsSide, { store, agent, ...found }: AgentStore): AgentStore {
  const own = store === agent ? name : `${name} ${store.slice(agent.length + 1)}`
  return { ...found, agent, store: `${agent}:${own}`, variables: undefined, home: absoluteFolder(surroundings, "~") }
}

/** Copies of a store, with what has sessions in it: an agent does not write there. */
function ofKept(surroundings: Surroundings, agent: Agent, { store, of, folder }: KeptStore): AgentStore | undefined {
  const keptOf = agentStoreNamed(surroundings, of)
  return keptOf && { agent, store, folder, sessions: keptOf.sessions, variables: undefined, keptOf }
}

/**
 * The stores of an agent: its own and those with fixed names, whether they are there or not, and those that are named by what is there. One that
 * is its own is none of the others. In WSL, those on the side of Windows that are there, or have what is not read, come last,
 * before the copies that `keep` made.
 * @param look for all agents that are looked for
 * @throws StorageError; InvalidArgumentError for one that is there and whose name can be no name of a store
 */
export async function* agentStores(
  surroundings: Surroundings,
  agent: Agent,
  look = new Look(surroundings),
): AsyncGenerator<AgentStore> {
  yield* storesOfSide(look, agent)
  for (const side of look.sides)
    for await (const found of storesOfSide(side.look, agent)) {
      const store = ofSide(side, found)
      if (isThere(store) || (await unreadFiles(side.surroundings, [store], side.look)).length > 0) yield store
    }
  for (const kept of look.kept) {
    const store = agentOfProgram(kept.of) === agent ? ofKept(surroundings, agent, kept) : undefined
    if (store) yield store
  }
}

async function* storesOfSide(look: Look, agent: Agent): AsyncGenerator<AgentStore> {
  const { surroundings } = look
  const own = ownStores(surroundings, agent)
  yield* own
  const stores = [...own]
  const names = new Set(own.map(({ store }) => store.slice(agent.length + 1)))
  let fixed: AgentStore[] | undefined
  const isOfAnother = (store: AgentStore): boolean => {
    fixed ??= fixedStores(surroundings)
    return isAmong(store, fixed)
  }
  for (const other of othersOf(surroundings, agent))
    for (const name of other.name === undefined ? await starNames(look, agent, other) : [other.name]) {
      const store = names.has(name) ? undefined : otherStore(surroundings, agent, other, name)
      names.add(name)
      if (!store || isAmong(store, other.name === undefined ? stores : own)) continue
      if (other.name === undefined && isOfAnother(store)) continue
      stores.push(store)
      yield store
    }
  for (const store of [...stores, ...(await editorsOf(look, agent))])
    for (const custom of customStores(look, store)) {
      if (isAmong(custom, stores)) continue
      stores.push(custom)
      yield custom
    }
}

function isAmong({ folder, sessions }: AgentStore, stores: readonly AgentStore[]): boolean {
  return stores.some((each) => each.folder === folder && each.sessions[0] === sessions[0])
}

/** The stores of all agents that have a name of their own: what `*` finds of them is theirs. */
function fixedStores(surroundings: Surroundings): AgentStore[] {
  return agentsOf(surroundings).flatMap((agent) => {
    const named = othersOf(surroundings, agent).flatMap((other) =>
      other.name === undefined ? [] : (otherStore(surroundings, agent, other, other.name) ?? []),
    )
    return [...ownStores(surroundings, agent), ...named]
  })
}

/** Stores in the folders of editors that are there, whether there are sessions or not. */
async function editorsOf(look: Look, agent: Agent): Promise<AgentStore[]> {
  const { surroundings } = look
  const found: AgentStore[] = []
  for (const other of placeOf(surroundings, agent).folderSettings ? othersOf(surroundings, agent) : [])
    for (const { name } of await foundAs(look, agent, { ...other, sessions: "../.." }))
      if (OTHER_NAME.test(name)) found.push(...[otherStore(surroundings, agent, other, name) ?? []].flat())
  return found
}

/** What the `*` of a store stands for, of those that are there. @throws InvalidArgumentError for one that can be no name */
async function starNames(look: Look, agent: Agent, other: Other): Promise<string[]> {
  const found = await foundAs(look, agent, other)
  for (const { name, path } of found) {
    if (OTHER_NAME.test(name)) continue
    const message = `${path} is not read: ${JSON.stringify(name)} can be no name of a store.`
    throw new TreelogError("InvalidArgumentError", message, { argument: "store", value: name })
  }
  return found.map(({ name }) => name)
}

/** What the `*` of a store stands for, and the paths of their sessions; nothing of a store without it. */
async function foundAs(look: Look, agent: Agent, other: Other): Promise<{ name: string; path: string }[]> {
  const { folder, sessions: [sessions] = [""] } = otherStore(look.surroundings, agent, other, "*") ?? {}
  const parts = folder === undefined ? [] : join(folder, sessions).split(sep)
  const star = parts.findIndex((part) => part.includes("*"))
  if (folder === undefined || star === -1) return []
  const [at, rest] = [parts.slice(0, star).join(sep), parts.slice(star).join("/")]
  const all: { name: string; path: string }[] = []
  for await (const { path, stars } of matchingPaths(look.fs, at, rest)) all.push({ path, name: stars[0] ?? "" })
  const stats = await statMany(
    look.fs,
    all.map(({ path }) => path),
  )
  const found: typeof all = []
  for (const one of all.filter((_, index) => isStat(stats[index]))) {
    const shown = other.shownBy?.map((each) =>
      isAny(
        look,
        folder.replace("*", () => one.name),
        each,
      ),
    )
    if (!shown || (await Promise.all(shown)).includes(true)) found.push(one)
  }
  return found
}

/** Files of an agent that may have sessions, and are not read. */
export interface UnreadFiles {
  /** The store in whose folder they are, or would be. */
  readonly store: string
  /** The file, or the folder of several. An absolute path. */
  readonly path: string
  readonly why: string
}

/**
 * What is on this machine of an agent's sessions and not read.
 * @param look for all stores that are asked for
 * @param isDoctor whether it also looks for what only `doctor` says
 * @throws StorageError
 */
export async function unreadFiles(
  surroundings: Surroundings,
  stores: Iterable<AgentStore>,
  look = new Look(surroundings),
  isDoctor = false,
): Promise<UnreadFiles[]> {
  const found = new Map<string, UnreadFiles>()
  for (const { agent, store, folder, home = absoluteFolder(surroundings, "~") } of stores)
    for (const { path: pattern, why, unless, onlyInDoctor = false } of placeOf(surroundings, agent).unread ?? []) {
      if (onlyInDoctor && !isDoctor) continue
      const isOwn = !pattern.startsWith("~") && !isAbsolute(pattern)
      const [at, rest] = isOwn ? [folder, pattern] : [home, pattern.slice(2)]
      const parts = rest.split("/")
      const star = parts.findIndex((part) => part.includes("*"))
      const path = join(at, ...(star === -1 ? parts : parts.slice(0, star)))
      const name = `${path}\0${why}`
      if (found.has(name) || (unless !== undefined && (await isAny(look, at, unless)))) continue
      if (await isAny(look, at, rest)) found.set(name, { store, path, why })
    }
  return [...found.values()]
}

async function isAny({ fs }: Look, at: string, pattern: string): Promise<boolean> {
  for await (const { path } of matchingPaths(fs, at, pattern)) if (isStat((await statMany(fs, [path]))[0])) return true
  return false
}
