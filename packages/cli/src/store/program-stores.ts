import { isTreelogError } from "@treelog/session-core"
import { isStoreName, Look, type StorePlace, shownStore, storePlaces, storesAt } from "@treelog/stores"
import { faultOf } from "../errors/error-report.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import type { StoreOptions } from "../io/global-options.js"
import type { Io } from "../io/io.js"
import { isEveryStore, isStoreNamed } from "./chosen-store.js"
import { readConfig } from "./config.js"

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
  const { places, faults } = await context.once(lookForStores)
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

/** Looks for the stores of all programs, for `once` of a command. */
export async function lookForStores(io: Io): Promise<Looked> {
  const look = new Look(io)
  const faults: [string, unknown][] = []
  const places = await storePlaces(io, (...fault) => faults.push(fault), look)
  return { look, places, faults }
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
