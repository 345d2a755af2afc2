import { isTreelogError } from "@treelog/session-core"
import {
  isAddress,
  isStoreName,
  Look,
  type OpenOptions,
  type OpenStore,
  openStore,
  ownFolder,
  type StoreName,
  type StorePlace,
  shownStore,
  storeNamed,
  storePlaces,
  storesAt,
} from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import { faultOf } from "../errors/error-report.js"
import { UsageError } from "../errors/exit-codes.js"
import type { CommandContext, StoreOptions } from "../io/command-context.js"
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

/** How a command opens stores: what is wrong and ends nothing goes to stderr, and what was opened is closed when the command ends. */
export function openOptions(
  context: CommandContext,
): Required<Pick<OpenOptions, "env" | "onWarning" | "onOpen" | "signal">> & Pick<OpenOptions, "plugIns"> {
  return {
    env: context.io.env,
    ...(context.io.plugIns && { plugIns: context.io.plugIns }),
    onWarning: (error, message) => context.warn(error, message),
    onOpen: (close) => context.onEnd(close),
    signal: context.io.interrupted,
  }
}

/** Opens a store for a command: a database once, files and agents each time. @throws what `openStore` throws */
export function openNamedStore(
  context: CommandContext,
  name: StoreName,
  use: Pick<OpenOptions, "caches" | "exists"> = {},
): Promise<OpenStore> {
  const open = () => openStore(name, { ...openOptions(context), ...use })
  return name.kind === "postgres" ? context.once(`store ${name.connectionString}`, open) : open()
}

/** A store that a command works on. */
export interface MeantStore {
  /** Whose store it is, as `--store` takes it; undefined for the one that was named. */
  readonly program: string | undefined
  /** What names it, and no other. */
  readonly options: StoreOptions
}

/**
 * The stores that a command works on: the one that an option or TREELOG_STORE names; else those of all programs that have one on this
 * machine, and that of `treelog config`.
 * @throws UsageError for the stores of all programs, and a folder
 */
export async function meantStores(context: CommandContext): Promise<MeantStore[]> {
  const { agentDir, sessionDir } = context.options
  const isEvery = isEveryStore(context)
  if (isEvery && [agentDir, sessionDir].some((folder) => folder !== undefined))
    throw new UsageError("The stores of all programs are meant: --agent-dir and --session-dir name one folder.")
  if (isStoreNamed(context)) return [{ program: undefined, options: context.options }]
  const found = await programStores(context)
  const { store: setting } = readConfig(context.io)
  const isKnown = setting === undefined || isStoreName(context.io, setting)
  const stores = isKnown ? found : [{ program: shownStore(setting), options: { store: setting } }, ...found]
  // Without any, that of treelog is empty.
  const isOwn = stores.every(({ program }) => program === "treelog")
  return isOwn && !isEvery ? [{ program: undefined, options: context.options }] : stores
}

async function programStores(context: CommandContext): Promise<MeantStore[]> {
  const onError = (store: string, error: unknown): void => {
    const { code, message } = faultOf(error)
    context.warn({ code, data: { store } }, `The store of ${store} cannot be read: ${message}`)
  }
  const { places, faults } = await lookForStores(context)
  for (const [store, error] of faults) onError(store, error)
  const stores = await storesAt(places, onError)
  return stores.map((store) => ({ program: store, options: { store } }))
}

/** Where stores are, or would be. */
interface Looked {
  readonly look: Look
  readonly places: readonly StorePlace[]
  /** What cannot be looked at, and why. */
  readonly faults: readonly (readonly [store: string, error: unknown])[]
}

/** Looks for the stores of all programs, once. */
export function lookForStores(context: CommandContext): Promise<Looked> {
  return context.once("stores", async () => {
    const look = new Look(context.io)
    const faults: [string, unknown][] = []
    const places = await storePlaces(context.io, (...fault) => faults.push(fault), look)
    return { look, places, faults }
  })
}

/** How many stores a sentence names. */
const NAMED = 3

/** Stores in a sentence about all of them: `treelog, pi, codex and 16 more`. */
export function listedStores(names: readonly string[]): string {
  const more = names.length - NAMED
  return listed(more > 1 ? [...names.slice(0, NAMED), `${more} more`] : names)
}

/**
 * Opens each store. One that cannot be opened, such as a database that does not answer, is named on stderr where there are others, and
 * the command goes on with those.
 */
export async function openEach<Opened>(
  context: CommandContext,
  stores: readonly MeantStore[],
  open: (store: MeantStore) => Promise<Opened>,
): Promise<Opened[]> {
  const opened: Opened[] = []
  for (const store of stores)
    try {
      opened.push(await open(store))
    } catch (error) {
      if (store.program === undefined || stores.length === 1 || !isTreelogError(error)) throw error
      const { code, message } = error
      context.warn({ code, data: { store: store.program } }, `The store of ${store.program} cannot be read: ${message}`)
    }
  return opened
}

/** `pi`, `pi and omp`, `treelog, pi and omp`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}
