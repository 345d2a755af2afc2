import { existsSync, readdirSync, statSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { agentDirOf, type Preset } from "@treelog/storage-fs"
import { absoluteFolder } from "@treelog-internal/fs"
import { type AgentStore, agentStoreNamed } from "./agent-stores.js"
import { isKeptStore, type KeptStore, keptStores } from "./kept/kept-stores.js"
import { piProjectDir, piSessionDir } from "./pi-session-dir.js"
import { agentOfProgram, isFileProgram, PROGRAMS } from "./programs.js"
import { isAddress, type PostgresAddress, postgresAddress } from "./server-address.js"
import type { Surroundings } from "./surroundings.js"

/** Which store is meant. Nothing is opened yet. */
export type StoreName = FilesName | AgentName | ({ readonly kind: "postgres" } & PostgresAddress)

/** The sessions of another agent, where they are. */
export interface AgentName extends AgentStore {
  readonly kind: "agent"
}

/** A store of files. */
export interface FilesName {
  readonly kind: "files"
  /** An absolute path. */
  readonly agentDir: string
  /** The program whose names of files these are; treelog's by default. */
  readonly preset: Preset | undefined
  /** A folder of session files instead of the store's own. An absolute path. */
  readonly sessionDir?: string
  /** The name as it was written, if it is that of a folder: a typing mistake must not pass for an empty store. */
  readonly folder?: string
  /** What such a mistake may be instead: sentences for the end of its message. */
  readonly hint?: string
  /** The store that it has copies of, which `keep` made. */
  readonly keptOf?: FilesName
}

/**
 * A store by its name.
 * @param name a program, a relative of pi, an agent, `omp:PROFILE`, `AGENT:OTHER`, a folder that contains `sessions` or files of
 * sessions, or `postgres://host/database`
 * @param source where the name is from, for messages, such as `--store`
 * @throws InvalidArgumentError for an address that is not one of a database; StorageError where pi's settings cannot be read
 */
export function storeNamed(surroundings: Surroundings, name: string, source = "store"): StoreName {
  if (isAddress(name)) return { kind: "postgres", ...postgresAddress(name, source) }
  const agent = agentStoreNamed(surroundings, name)
  if (agent) return { kind: "agent", ...agent }
  const kept = isKeptStore(name) ? keptStores(surroundings).find(({ store }) => store === name) : undefined
  if (kept && isFileProgram(kept.of)) return keptFiles(surroundings, kept)
  const preset = PROGRAMS.find((program) => program === name)
  if (preset === "pi") {
    const agentDir = ownFolder(surroundings, preset)
    const sessionDir = piSessionDir(surroundings, agentDir)
    return { kind: "files", agentDir, preset, ...(sessionDir !== undefined && { sessionDir }) }
  }
  if (preset) return { kind: "files", agentDir: ownFolder(surroundings, preset), preset }
  if (name === PI_DEFAULT) return { kind: "files", agentDir: absoluteFolder(surroundings, "~/.pi/agent"), preset: "pi" }
  const ofProject = name === PI_PROJECT ? piProjectDir(surroundings) : undefined
  if (ofProject !== undefined)
    return { kind: "files", agentDir: ownFolder(surroundings, "pi"), preset: "pi", sessionDir: ofProject }
  if (name === "omo")
    return { kind: "files", agentDir: absoluteFolder(surroundings, "~/.omo/agent"), preset: undefined }
  if (name === "prime-agent") {
    // It keeps all its sessions in one folder.
    const agentDir = absoluteFolder(surroundings, "~/.prime/agent")
    return { kind: "files", agentDir, preset: undefined, sessionDir: join(agentDir, "sessions") }
  }
  // omp makes profiles of lower case alone; a renamed folder is one, too.
  const profile = /^omp:(?!\.{1,2}$)([^/\\]+)$/.exec(name)?.[1]
  if (profile !== undefined) return { kind: "files", agentDir: ownFolder(surroundings, "omp", profile), preset: "omp" }
  const folder = absoluteFolder(surroundings, name)
  if (hasSessionFiles(folder))
    return { kind: "files", agentDir: ownFolder(surroundings, "treelog"), preset: undefined, sessionDir: folder }
  const hint = surroundings.plugIns?.faults.map(({ error }) => ` ${error.message}`).join("")
  return {
    kind: "files",
    agentDir: folder,
    preset: undefined,
    folder: name,
    ...(hint && { hint }),
  }
}

/** The name of a store of files among copies: of a folder of sessions, which settings name, it has the path. */
export function keptName(store: string, { sessionDir }: FilesName): string {
  return sessionDir === undefined ? store : `${agentOfProgram(store)}:${sessionDir}`
}

function keptFiles(surroundings: Surroundings, { of, folder }: KeptStore): FilesName {
  const program = agentOfProgram(of)
  const own = of.slice(program.length + 1)
  const isDir = isAbsolute(own)
  const { agentDir, preset } = storeNamed(surroundings, isDir ? program : of) as FilesName
  const keptOf: FilesName = { kind: "files", agentDir, preset, ...(isDir && { sessionDir: own }) }
  return { kind: "files", agentDir: folder, preset, ...(isDir && { sessionDir: folder }), keptOf }
}

/** The folder of files that a store has its sessions in, with what belongs to them. An absolute path. */
export function folderOfFiles({ agentDir, sessionDir = agentDir }: FilesName): string {
  return sessionDir
}

/** Whether a folder is no store, and has files of sessions. */
function hasSessionFiles(folder: string): boolean {
  if (existsSync(join(folder, "sessions")) || !existsSync(folder)) return false
  return statSync(folder).isDirectory() && readdirSync(folder).some((file) => file.endsWith(".jsonl"))
}

/** The usual store of pi, where a variable or its settings name another. */
export const PI_DEFAULT = "pi:default"

/** Where the settings of the project that this is called in have pi keep its sessions. */
export const PI_PROJECT = "pi:project"

/** The folder of a program's store. An absolute path. @param profile of omp */
export function ownFolder(surroundings: Surroundings, program: Preset, profile?: string): string {
  return absoluteFolder(surroundings, agentDirOf(program, surroundings.env, profile))
}
