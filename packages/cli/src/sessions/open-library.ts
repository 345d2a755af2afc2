import type { SqliteSessionIndex } from "@treelog/index-sqlite"
import type { SessionStorage } from "@treelog/session-core"
import { Library, type Source } from "@treelog/stores"
import { EXIT, type ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import {
  EVERY,
  isStoreNamed,
  listed,
  listedStores,
  type MeantStore,
  meantStores,
  openEach,
} from "../store/chosen-store.js"
import {
  commandSessions,
  isWritableStore,
  readOnlyManager,
  requireWritable,
  type Sessions,
} from "../store/command-sessions.js"
import { cwdIn, foldersOf } from "../store/scope.js"

export interface CommandSource extends Source, Sessions, MeantStore {
  /** The index, of this store and perhaps of others: it knows this one by its address. */
  readonly index: () => Promise<SqliteSessionIndex>
}

/** One whose sessions can be changed. */
export type WritableSource = CommandSource & Sessions<SessionStorage>

export type CommandLibrary = Library<CommandSource>

export async function openLibrary(context: CommandContext): Promise<CommandLibrary> {
  return libraryOf(context, await openEach(context, await meantStores(context), (store) => openSource(context, store)))
}

/** The sessions of all programs on this machine, whatever store a command is for. */
export async function openMachine(context: CommandContext): Promise<CommandLibrary> {
  return openLibrary(ofEveryStore(context))
}

function ofEveryStore(context: CommandContext): CommandContext {
  const { agentDir: _, sessionDir: __, ...options } = context.options
  return context.with({ ...options, store: EVERY })
}

function libraryOf(context: CommandContext, opened: readonly CommandSource[]): CommandLibrary {
  const index = indexOf(context, opened)
  return new Library(
    opened.map((source) => ({ ...source, index })),
    {
      index,
      onError: ({ name }, { code, message }) =>
        context.warn({ code, data: { store: name } }, `The store of ${name} cannot be read: ${message}`),
    },
  )
}

function indexOf(context: CommandContext, stores: readonly Sessions[]): () => Promise<SqliteSessionIndex> {
  let index: Promise<SqliteSessionIndex> | undefined
  return () => {
    index ??= import("./open-index.js").then(({ openIndex }) => openIndex(context, stores))
    return index
  }
}

export async function openSource(context: CommandContext, { program, options }: MeantStore): Promise<CommandSource> {
  const sessions = await commandSessions(context, options)
  return {
    ...sessions,
    program,
    options,
    name: program ?? sessions.address,
    manager: (key) => readOnlyManager(sessions, key),
    index: indexOf(context, [sessions]),
  }
}

/** A library, and the folder that a command asks it about. */
export interface ScopedLibrary {
  /** Its options say so, too. */
  readonly context: CommandContext
  readonly library: CommandLibrary
  /** An absolute path; undefined for everywhere. */
  readonly scope: string | undefined
}

/** The sessions that a command is about which only reads: see `scopeOfReading`. */
export async function openScoped(context: CommandContext): Promise<ScopedLibrary> {
  const library = await openLibrary(context)
  return { library, ...(await scopeOfReading(context, library)) }
}

/** The folder that a command is about; undefined for everywhere. */
export function folderOf(context: CommandContext): string | undefined {
  return context.options.all ? undefined : cwdIn(context)
}

/**
 * The folder that a command is about which only reads: every folder, where the command is run in one that is no project and has no sessions, such
 * as the home folder, names no other, and there are sessions elsewhere: stderr says so.
 * @param isEmpty whether the folder has no session, where that is known
 */
export async function scopeOfReading(
  context: CommandContext,
  library: CommandLibrary,
  isEmpty = false,
): Promise<Pick<ScopedLibrary, "context" | "scope">> {
  const [scope, cwd] = [folderOf(context), cwdIn(context)]
  if (scope === undefined || context.options.cwd !== undefined || foldersOf(context).isInRepository(cwd))
    return { context, scope }
  if ((!isEmpty && (await library.isAny({ scope }, true))) || !(await library.isAny({}, true)))
    return { context, scope }
  const sentence = `No session is of ${cwd}, which is no project: this is about every folder.`
  context.warn({ code: "EveryFolder", data: { cwd } }, sentence)
  return { context: context.with({ ...context.options, all: true }), scope: undefined }
}

/**
 * Every store that a command works on, without those that can only be read, which stderr names.
 * @throws ReadOnlyStorageError where an option or a setting names one that can only be read
 */
export async function writableSources(context: CommandContext): Promise<WritableSource[]> {
  const stores = (await openLibrary(context)).sources
  for (const store of stores) if (store.program === undefined) requireWritable(store)
  const others = [...new Set(stores.flatMap(({ agent }) => agent ?? []))]
  if (others.length > 0) await context.log(`The sessions of ${listed(others)} are only read: nothing there is changed.`)
  return stores.filter((store): store is WritableSource => isWritableStore(store))
}

/** Does the work on one store after the other. @returns the worst of their exit codes */
export async function onEach(
  context: CommandContext,
  stores: readonly CommandSource[],
  work: (sessions: Sessions) => Promise<ExitCode>,
): Promise<ExitCode> {
  let worst: ExitCode = EXIT.nothing
  for (const sessions of stores) {
    context.io.interrupted.throwIfAborted()
    const code = await work(sessions)
    // A store without sessions says nothing where another has some.
    const isWorse = worst === EXIT.nothing || (worst === EXIT.ok && code !== EXIT.nothing) || code === EXIT.failed
    if (isWorse) worst = code
  }
  return worst
}

/** Does the work of a command on each store that is meant. @param isOfAgentsToo the sessions of an agent have no files of a store */
export function onEveryStore<Given extends unknown[]>(
  work: (context: CommandContext, sessions: Sessions, ...given: Given) => Promise<ExitCode>,
  isOfAgentsToo = false,
): (context: CommandContext, ...given: Given) => Promise<ExitCode> {
  return async (context, ...given) => {
    const { options } = context
    // One place for all: the store that is chosen is the one that uses it.
    if (options.blobs !== undefined)
      return work(context, await openSource(context, { program: undefined, options }), ...given)
    const { sources } = await openLibrary(context)
    const own = sources.filter((one) => isOfAgentsToo || one.program === undefined || isWritableStore(one))
    return own.length === 0
      ? nothingExamined(context, own)
      : onEach(context, own, (sessions) => work(context, sessions, ...given))
  }
}

/** Where sessions were looked for. */
type Place = Pick<CommandSource, "program" | "address">

/** For sentences: `/home/me/.pi/agent`, `pi (/home/me/.pi/agent)`; of several their number and a few names. */
export function placesOf(stores: readonly Place[]): string {
  const names = stores.map(({ program, address }) => program ?? address)
  const [only, ...others] = stores
  if (others.length > 0) return `${names.length} stores (${listedStores(names)}; \`treelog doctor\` shows where)`
  return only?.program === undefined ? listed(names) : `${only.program} (${only.address})`
}

/** Where treelog's own store is all that was looked in, without being named: what `stores` do not say. */
export function onlyOwnStore(context: CommandContext, stores: readonly Place[]): string {
  const isOwn = stores.length === 1 && stores[0]?.program === undefined && !isStoreNamed(context)
  return isOwn ? "no other agent has a store on this machine" : ""
}

/** Says on stderr that no session was examined, and where they were looked for; with `--json` as JSON. */
export async function nothingExamined(
  context: CommandContext,
  stores: readonly Place[],
  isEverywhere = context.options.all === true,
): Promise<ExitCode> {
  const scope = isEverywhere ? "" : `, for sessions of ${cwdIn(context)}; --all looks in every folder`
  const looked = [`looked in ${placesOf(stores)}${scope}`, onlyOwnStore(context, stores)].filter(Boolean).join("; ")
  const where = stores.length === 0 ? await missingStore(context) : looked
  const data = {
    stores: stores.map(({ address }) => address),
    ...(!isEverywhere && { cwd: cwdIn(context) }),
  }
  context.warn({ code: "NothingExamined", data }, `0 sessions examined: ${where}.`)
  return EXIT.nothing
}

/** Why a command has no store to work on. */
async function missingStore(context: CommandContext): Promise<string> {
  const isAny = (await meantStores(ofEveryStore(context))).length > 0
  return isAny ? "there is no store that can be changed" : "no agent has a store on this machine"
}
