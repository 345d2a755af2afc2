import { relative } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { noSessionAt } from "@treelog/session-core/adapter"
import { agentOfFile, hideUrls, isRecency, type ListedSource, resolveSession } from "@treelog/stores"
import { UsageError } from "../errors/usage-error.js"
import type { CommandContext } from "../io/command-context.js"
import { NEWEST } from "./newest.js"
import {
  type CommandLibrary,
  type CommandSource,
  folderOf,
  libraryOfStore,
  openLibrary,
  scopeOfReading,
} from "./open-library.js"
import { describedError } from "./reference-error.js"
import { copiesSentence, isServerAddress } from "./resolve-session.js"
import { type Failure, storedKeys } from "./stored-keys.js"

/** A session, in the store that has it. */
export interface FoundSession {
  readonly source: CommandSource
  readonly key: string
}

/**
 * The session that a command is about, in the store that has it: without `--store`, those of all programs are searched. Of several copies
 * it is the face, which stderr says. A path means its file, whichever program wrote it, inside of a store or outside.
 * @throws SessionNotFoundError; AmbiguousSessionError with descriptions of the candidates; UsageError for the address of a store
 */
export async function findSession(
  context: CommandContext,
  ref = NEWEST,
  opened?: CommandLibrary,
): Promise<FoundSession> {
  return findIn(opened ?? (await openLibrary(context)), context, ref, folderOf(context))
}

/** Finds the session for a command that only reads: `@last` and the like mean sessions of every folder where `scopeOfReading` does. */
export async function findToRead(
  context: CommandContext,
  ref = NEWEST,
  opened?: CommandLibrary,
): Promise<FoundSession> {
  const library = opened ?? (await openLibrary(context))
  try {
    return await findIn(library, context, ref, folderOf(context))
  } catch (error) {
    if (!isTreelogError(error, "SessionNotFoundError") || !isRecency(ref)) throw error
    const { context: wide, scope } = await scopeOfReading(context, library)
    if (wide === context) throw error
    return findIn(library, wide, ref, scope)
  }
}

/** What may be a path: then the file decides which store it belongs to. */
const PATH = /[/\\]|\.jsonl/

/**
 * Runs a command about one session in the store that has it. Where there is one store, the command finds its session itself, once it has checked
 * its options.
 * @param isReading whether it only reads: see `findToRead`
 */
export async function inStoreOf<Result>(
  context: CommandContext,
  ref = NEWEST,
  isReading: boolean,
  work: (context: CommandContext, ref: string) => Promise<Result>,
): Promise<Result> {
  const library = await openLibrary(context)
  const [only, ...others] = library.sources
  if (!only || others.length > 0 || (PATH.test(ref) && (only.files || only.agent))) {
    const { source, key } = await (isReading ? findToRead : findSession)(context, ref, library)
    return work(source.context, key)
  }
  try {
    return await work(only.context, ref)
  } catch (error) {
    if (!isReading || !isTreelogError(error, "SessionNotFoundError") || !isRecency(ref)) throw error
    const { context: wide } = await scopeOfReading(context, library)
    if (wide === context) throw error
    return work(wide, ref)
  }
}

async function findIn(
  library: CommandLibrary,
  context: CommandContext,
  ref: string,
  scope: string | undefined,
): Promise<FoundSession> {
  if (isServerAddress(ref))
    throw new UsageError(`${hideUrls(ref)} is not a session; --store takes the address of a store.`)
  const path = library.sources[0]?.storage.keyFromRef(ref)
  if (path !== undefined) {
    const source = await sourceOfPath(context, library, path)
    if (await source.storage.stat(path)) return { source, key: path }
    throw noSessionAt(path, ref)
  }
  try {
    const { source, path: key, copies } = await library.resolve(ref, scope)
    if (copies.length > 0) await context.log(copiesSentence(source.name, copies))
    return { source, key }
  } catch (error) {
    throw await describedError(library.sources, ref, scope, error)
  }
}

/** The key of the session that a reference means, which is no path. @throws SessionNotFoundError, AmbiguousSessionError */
export async function findKey(sources: readonly ListedSource[], context: CommandContext, ref: string): Promise<string> {
  const scope = folderOf(context)
  try {
    return (await resolveSession(sources, ref, scope)).path
  } catch (error) {
    throw await describedError(sources, ref, scope, error)
  }
}

/** The id of the session that a reference means. @throws as `findSession`, InvalidSessionError */
export async function idOfSession(library: CommandLibrary, context: CommandContext, ref: string): Promise<string> {
  const { source, key } = await findIn(library, context, ref, folderOf(context))
  const session = await (await source.sessions.manager()).open(key, { access: "read" })
  try {
    return session.getSessionId()
  } finally {
    await session.close()
  }
}

/** The store that a file belongs to: by what wrote it, else by where it is. */
async function sourceOfPath(
  context: CommandContext,
  { sources }: CommandLibrary,
  path: string,
): Promise<CommandSource> {
  const inside = sources.find(({ address }) => isWithin(address, path))
  const agent = (await agentOfFile(path)) ?? (inside ? undefined : path.endsWith(".jsonl.zst") ? "codex" : undefined)
  if (inside && (agent === undefined || agent === inside.agent)) return inside
  const { agentDir: _, sessionDir: __, ...options } = context.options
  const [only] = sources.length === 1 ? sources : []
  if (agent === undefined && only && !only.agent) return only
  const { sources: opened } = await libraryOfStore(context.with({ ...options, store: agent ?? "treelog" }))
  return opened[0] as CommandSource
}

function isWithin(folder: string, path: string): boolean {
  return !relative(folder, path).startsWith("..")
}

/** Sessions of one store that a command scans. */
export interface SourceKeys {
  readonly source: CommandSource
  /** What cannot be listed has its error. */
  readonly keys: Iterable<{ key: string } | Failure> | AsyncIterable<{ key: string } | Failure>
}

/** The sessions that a command scans. */
interface OneOrAll {
  readonly isAll: boolean
  readonly sources: readonly SourceKeys[]
}

/** One session, in the store that has it, by default the newest; with `--all` and no session, every one of every store that is meant. */
export async function oneOrAll(context: CommandContext, ref: string | undefined): Promise<OneOrAll> {
  if (ref === undefined && context.options.all === true) {
    const { sources } = await openLibrary(context)
    const keysOf = (source: CommandSource) => storedKeys(source.sessions, source.context)
    return { isAll: true, sources: sources.map((source) => ({ source, keys: keysOf(source) })) }
  }
  const { key, source } = await findToRead(context, ref)
  return { isAll: false, sources: [{ source, keys: [{ key }] }] }
}
