import { join } from "node:path"
import { nodeFs } from "@treelog/storage-fs"
import { faultOf } from "../errors/error-report.js"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { isFolder } from "../io/is-folder.js"
import { AGENTS, PROGRAMS } from "../program/programs.js"
import { hasSessions } from "./agent-folders.js"
import { isStoreNamed, ownFolder, profilesFolder } from "./store-name.js"

/** A store that a command works on, and the surroundings of a command that works on it alone. */
export interface MeantStore {
  /** Whose store it is, as `--store` takes it; undefined for the one that was named. */
  readonly program: string | undefined
  readonly context: CommandContext
}

/**
 * The stores that a reading command is about: the one that is named by an option, TREELOG_STORE or `treelog config`; else those of all
 * programs that have one on this machine, which stderr lists where they are not treelog's alone.
 * @param allStores with --all-stores: those of all programs in any case
 * @throws UsageError with an option that names a store, and --all-stores
 */
export async function meantStores(context: CommandContext, allStores = false): Promise<MeantStore[]> {
  const { store, agentDir, sessionDir } = context.options
  if (allStores && [store, agentDir, sessionDir].some((value) => value !== undefined))
    throw new UsageError("--all-stores cannot be combined with --store, --agent-dir or --session-dir.")
  if (!allStores && isStoreNamed(context)) return [{ program: undefined, context }]
  const stores = await programStores(context)
  // Without any, that of treelog is empty.
  const isOwn = stores.every(({ program }) => program === "treelog")
  return isOwn && !allStores ? [{ program: undefined, context }] : stores
}

/** The stores of all programs that have one on this machine. Two programs with the same folder are one. */
export async function programStores(context: CommandContext): Promise<MeantStore[]> {
  const { io } = context
  const { agentDir: _, sessionDir: __, ...options } = context.options
  const contextOf = (store: string) => context.with({ ...options, store })
  const stores = new Map<string, MeantStore>()
  for (const program of PROGRAMS) {
    const folder = ownFolder(io, program)
    if (stores.has(folder) || !(await isThere(context, program, isFolder(join(folder, "sessions"))))) continue
    stores.set(folder, { program, context: contextOf(program) })
  }
  for (const store of await ompProfiles(context)) stores.set(store, { program: store, context: contextOf(store) })
  for (const agent of AGENTS)
    if (await isThere(context, agent, hasSessions(io, agent)))
      stores.set(agent, { program: agent, context: contextOf(agent) })
  return [...stores.values()]
}

/** The stores of omp's profiles, in order: `omp:work`. */
async function ompProfiles(context: CommandContext): Promise<string[]> {
  const folder = profilesFolder(context.io)
  const found: string[] = []
  const list = async (): Promise<boolean> => {
    if (!(await isFolder(folder))) return false
    for (const { name } of await nodeFs.readdir(folder))
      if (await isFolder(join(folder, name, "agent", "sessions"))) found.push(`omp:${name}`)
    return true
  }
  await isThere(context, "omp", list())
  return found.sort()
}

/** Says on stderr that a command is about treelog's own sessions, where no store is named and other programs have stores that could be meant. */
export async function logOtherStores(context: CommandContext): Promise<void> {
  if (isStoreNamed(context)) return
  const stores = (await programStores(context)).map(({ program }) => program)
  const writable = PROGRAMS.filter((program) => program !== "treelog" && stores.includes(program))
  if (writable.length > 0)
    await context.log(`These are treelog's own sessions; use --store for the sessions of ${listed(writable)}.`)
}

/** Whether there is a store. One that cannot be looked at is reported, and ends nothing. */
async function isThere(context: CommandContext, program: string, looking: Promise<boolean>): Promise<boolean> {
  const [found] = await Promise.allSettled([looking])
  if (found.status === "fulfilled") return found.value
  const { code, message } = faultOf(found.reason)
  context.warn({ code, data: { store: program } }, `The store of ${program} cannot be read: ${message}`)
  return false
}

/** Says on stderr which stores a command looked at, where somebody might expect another answer. */
export async function logStores(context: CommandContext, stores: readonly MeantStore[]): Promise<void> {
  const names = stores.flatMap(({ program }) => program ?? [])
  if (names.length > 1 || (names.length === 1 && names[0] !== "treelog"))
    await context.log(`Searched the sessions of ${listed(names)}; --store chooses one.`)
}

/** `pi`, `pi and omp`, `treelog, pi and omp`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
}
