import { join } from "node:path"
import { agentDirOf, type Preset } from "@treelog/storage-fs"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { absoluteFolder, type Io } from "../io/io.js"
import { AGENTS, type Agent, PROGRAMS } from "../program/programs.js"
import { readConfig } from "./config.js"
import { isAddress, type NamedBy, type PostgresAddress, postgresAddress } from "./server-address.js"

type Asked = Pick<CommandContext, "io" | "options">

/** Which store is meant. Nothing is opened yet. */
export type StoreName = FilesName | AgentName | ({ readonly kind: "postgres" } & PostgresAddress)

/** The sessions of another agent, where they are. */
export interface AgentName {
  readonly kind: "agent"
  readonly agent: Agent
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
  /** The name as it was given, if it is that of a folder: a typing mistake must not pass for an empty store. */
  readonly folder?: string
}

/**
 * A store by its name.
 * @param name a program, a folder that contains `sessions`, or an address
 * @throws UsageError for an address that is not one of a database
 */
export function storeNamed({ io }: Pick<CommandContext, "io">, name: string, by: NamedBy): StoreName {
  if (isAddress(name)) return { kind: "postgres", ...postgresAddress(name, by) }
  const agent = AGENTS.find((each) => each === name)
  if (agent) return { kind: "agent", agent }
  const preset = PROGRAMS.find((program) => program === name)
  if (preset) return { kind: "files", agentDir: ownFolder(io, preset), preset }
  const profile = /^omp:([a-z0-9][a-z0-9._-]*)$/.exec(name)?.[1]
  if (profile !== undefined)
    return { kind: "files", agentDir: join(profilesFolder(io), profile, "agent"), preset: "omp" }
  return { kind: "files", agentDir: absoluteFolder(io, name), preset: undefined, folder: name }
}

/** The folder of a program's store. An absolute path. */
export function ownFolder(io: Io, program: Preset): string {
  return absoluteFolder(io, agentDirOf(program, io.env))
}

/** Where omp keeps the stores of its profiles, which `--store omp:NAME` names. An absolute path. */
export function profilesFolder(io: Io): string {
  return join(ownFolder(io, "omp"), "..", "profiles")
}

/** The store that a command works on, and whether an option named it. */
export interface ChosenStore {
  readonly name: StoreName
  readonly isByOption: boolean
}

/** Whether an option, the environment or the settings of the user name a store. */
export function isStoreNamed({ io, options }: Asked): boolean {
  return isNamedByOption(options) || Boolean(io.env.TREELOG_STORE) || readConfig(io).store !== undefined
}

function isNamedByOption({ store, agentDir, sessionDir }: Asked["options"]): boolean {
  return [store, agentDir, sessionDir].some((value) => value !== undefined)
}

/**
 * The store of `--store`, `--agent-dir` and `--session-dir`; without them, of TREELOG_STORE or `treelog config`; else treelog's own.
 * @throws UsageError
 */
export function chosenStore({ io, options }: Asked): ChosenStore {
  const { store, agentDir, sessionDir } = options
  for (const [option, folder] of Object.entries({ "--agent-dir": agentDir, "--session-dir": sessionDir }))
    if (folder !== undefined && isAddress(folder))
      throw new UsageError(`${option} takes a folder; --store takes the address of a database.`)
  const isByOption = isNamedByOption(options)
  const named = isByOption ? store : io.env.TREELOG_STORE || readConfig(io).store
  const name: StoreName =
    named === undefined
      ? { kind: "files", agentDir: ownFolder(io, "treelog"), preset: undefined }
      : storeNamed({ io }, named, isByOption ? "--store" : "TREELOG_STORE")
  if (agentDir === undefined && sessionDir === undefined) return { name, isByOption }
  if (name.kind === "agent")
    throw new UsageError(`--store names ${name.agent}, --agent-dir and --session-dir name folders: give one of them.`)
  if (name.kind === "postgres")
    throw new UsageError("--store names a database, --agent-dir and --session-dir name folders: give one of them.")
  if (agentDir !== undefined && name.folder !== undefined)
    throw new UsageError("--store and --agent-dir name a folder each: give one of them.")
  const folders = {
    ...(agentDir !== undefined && { agentDir: absoluteFolder(io, agentDir) }),
    ...(sessionDir !== undefined && { sessionDir: absoluteFolder(io, sessionDir) }),
  }
  return { name: { ...name, ...folders }, isByOption }
}
