import { isAddress, ownFolder, type StoreName, storeNamed } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import type { StoreOptions } from "../io/global-options.js"
import { readConfig } from "./config.js"

interface Asked extends Pick<CommandContext, "io"> {
  readonly options: StoreOptions
}

/** The store that a command works on, and whether an option named it. */
export interface ChosenStore {
  readonly name: StoreName
  readonly isByOption: boolean
}

/** What `--store` and TREELOG_STORE name the stores of all programs with. */
export const EVERY = "all"

/** Whether an option or the environment asks for the stores of all programs, whatever a setting names. */
export function isEveryStore({ io, options }: Asked): boolean {
  return (options.store ?? io.env.TREELOG_STORE) === EVERY
}

/** Whether an option or the environment names the store that a command works on. A setting names only where new sessions go. */
export function isStoreNamed(asked: Asked): boolean {
  return !isEveryStore(asked) && (isNamedByOption(asked.options) || Boolean(asked.io.env.TREELOG_STORE))
}

function isNamedByOption({ store, agentDir, sessionDir }: StoreOptions): boolean {
  return [store, agentDir, sessionDir].some((value) => value !== undefined)
}

/** Where the name of a store is from. Of a setting, a command has it as its option `store`, which is no argument of the process then. */
export function storeSource({ io, options }: Asked, name = options.store): string {
  if (options.store === undefined && io.env.TREELOG_STORE) return "TREELOG_STORE"
  return name === undefined || options.store === undefined || (isAddress(name) && readConfig(io).store === name)
    ? "the setting store"
    : "--store"
}

/**
 * The store of `--store`, `--agent-dir` and `--session-dir`; without them, of TREELOG_STORE or `treelog config`; else treelog's own.
 * @throws UsageError, InvalidArgumentError
 */
export function chosenStore({ io, options }: Asked): ChosenStore {
  const { store, agentDir, sessionDir } = options
  for (const [option, folder] of Object.entries({ "--agent-dir": agentDir, "--session-dir": sessionDir }))
    if (folder !== undefined && isAddress(folder))
      throw new UsageError(`${option} takes a folder; --store takes the address of a database.`)
  const isByOption = isNamedByOption(options)
  if (isEveryStore({ io, options }) && agentDir === undefined && sessionDir === undefined)
    throw new UsageError(
      `${storeSource({ io, options }, EVERY)} all means the stores of all programs: name one of them.`,
    )
  const named = isByOption ? store : io.env.TREELOG_STORE || readConfig(io).store
  const name: StoreName =
    named === undefined
      ? { kind: "files", agentDir: ownFolder(io, "treelog"), preset: undefined }
      : storeNamed(io, named, storeSource({ io, options }, named))
  if (agentDir === undefined && sessionDir === undefined) return { name, isByOption }
  if (name.kind === "agent")
    throw new UsageError(`--store names ${name.store}, --agent-dir and --session-dir name folders: give one of them.`)
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
