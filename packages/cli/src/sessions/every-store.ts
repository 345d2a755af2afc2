import { listSessions } from "@treelog/session-core/adapter"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { commandSessions, type Sessions } from "./command-sessions.js"
import { listed, listedStores, type MeantStore, meantStores, openEach } from "./program-stores.js"
import { requireWritable } from "./require-files.js"
import { cwdIn, foldersOf } from "./scope.js"

/** A store that is open, and the surroundings of a command that works on it alone. */
export interface StoreSessions extends MeantStore {
  readonly sessions: Sessions
}

/** Opens every store that a command works on. */
export async function everyStore(context: CommandContext, allStores = false): Promise<StoreSessions[]> {
  const meant = await meantStores(context, allStores)
  return openEach(context, meant, async (store) => ({ ...store, sessions: await commandSessions(store.context) }))
}

/** Stores, and the context of a command with the scope in which they have sessions. */
interface ScopedStores {
  readonly context: CommandContext
  readonly stores: StoreSessions[]
}

/** The same for a command that only reads: see `everyFolder`. */
export async function scopedStores(context: CommandContext, allStores = false): Promise<ScopedStores> {
  const stores = await everyStore(context, allStores)
  const wide = await everyFolder(
    context,
    stores.map(({ sessions }) => sessions),
  )
  if (!wide) return { context, stores }
  return {
    context: wide,
    stores: stores.map((store) => ({
      ...store,
      context: store.context.with({ ...store.context.options, all: true }),
      sessions: { ...store.sessions, scope: {} },
    })),
  }
}

/**
 * The context of every folder, where the command is run in a folder that is no project and has no sessions, such as the home folder,
 * names no other, and there are sessions elsewhere: stderr says so. Otherwise undefined.
 */
export async function everyFolder(
  context: CommandContext,
  stores: readonly Pick<Sessions, "storage" | "scope">[],
): Promise<CommandContext | undefined> {
  const cwd = cwdIn(context)
  if (context.options.all || context.options.cwd !== undefined || foldersOf(context).isInRepository(cwd))
    return undefined
  if (!(await isNoSessionIn(stores)) || (await isNoSessionIn(stores.map(({ storage }) => ({ storage, scope: {} })))))
    return undefined
  const sentence = `No session is of ${cwd}, which is no project: this is about every folder.`
  context.warn({ code: "EveryFolder", data: { cwd } }, sentence)
  return context.with({ ...context.options, all: true })
}

async function isNoSessionIn(stores: readonly Pick<Sessions, "storage" | "scope">[]): Promise<boolean> {
  for (const { storage, scope } of stores)
    for await (const _ of listSessions(storage, scope.cwd, { projectOf: scope.projectOf, limit: 1 })) return false
  return true
}

/**
 * The same without those that can only be read, which stderr names.
 * @throws ReadOnlyStorageError where an option or a setting names one that can only be read
 */
export async function everyWritableStore(context: CommandContext): Promise<StoreSessions[]> {
  const stores = await everyStore(context)
  for (const { program, sessions } of stores) if (program === undefined) requireWritable(sessions)
  const others = stores.flatMap(({ sessions: { agent } }) => agent ?? [])
  if (others.length > 0) await context.log(`The sessions of ${listed(others)} are only read: nothing there is changed.`)
  return stores.filter(({ sessions }) => sessions.agent === undefined)
}

/** Does the work on one store after the other. @returns the worst of their exit codes */
export async function onEach(
  stores: readonly StoreSessions[],
  work: (context: CommandContext, sessions: Sessions) => Promise<ExitCode>,
): Promise<ExitCode> {
  let worst: ExitCode = EXIT.nothing
  for (const { context, sessions } of stores) {
    context.io.interrupted.throwIfAborted()
    const code = await work(context, sessions)
    // A store without sessions says nothing where another has some.
    const isWorse = worst === EXIT.nothing || (worst === EXIT.ok && code !== EXIT.nothing) || code === EXIT.failed
    if (isWorse) worst = code
  }
  return worst
}

/** Where sessions were looked for. */
interface Place {
  /** Whose store it is, as `--store` takes it; undefined for the one that was named. */
  readonly program: string | undefined
  readonly sessions: Pick<Sessions, "address">
}

/** For sentences: `/home/me/.pi/agent`, `pi (/home/me/.pi/agent)`; of several their number and a few names. */
export function placesOf(stores: readonly Place[]): string {
  const names = stores.map(({ program, sessions: { address } }) => program ?? address)
  const [only, ...others] = stores
  if (others.length > 0) return `${names.length} stores (${listedStores(names)}; \`treelog doctor\` shows where)`
  return only?.program === undefined ? listed(names) : `${only.program} (${only.sessions.address})`
}

/** Whether there is no session that a command could examine: of the folder that is meant, or anywhere. */
export async function isNothingThere(stores: readonly StoreSessions[], isEverywhere: boolean): Promise<boolean> {
  return isNoSessionIn(
    stores.map(({ sessions: { storage, scope } }) => ({ storage, scope: isEverywhere ? {} : scope })),
  )
}

/** Says on stderr that no session was examined, and where they were looked for; with `--json` as JSON. */
export async function nothingExamined(
  context: CommandContext,
  stores: readonly Place[],
  isEverywhere = context.options.all === true,
): Promise<ExitCode> {
  const scope = isEverywhere ? "" : `, for sessions of ${cwdIn(context)}; --all looks in every folder`
  const where = stores.length === 0 ? await missingStore(context) : `looked in ${placesOf(stores)}${scope}`
  const data = {
    stores: stores.map(({ sessions: { address } }) => address),
    ...(!isEverywhere && { cwd: cwdIn(context) }),
  }
  context.warn({ code: "NothingExamined", data }, `0 sessions examined: ${where}.`)
  return EXIT.nothing
}

/** Why a command has no store to work on. */
async function missingStore(context: CommandContext): Promise<string> {
  const isAny = (await meantStores(context, true)).length > 0
  return isAny ? "there is no store that can be changed" : "no agent has a store on this machine"
}
