import { relative } from "node:path"
import { isTreelogError, type SessionInfo, TreelogError } from "@treelog/session-core"
import { compareRecency, listSessions, noSessionAt } from "@treelog/session-core/adapter"
import {
  agentOfFile,
  type Copy,
  hideUrls,
  isRecency,
  type ListedSource,
  type ResolvedSession,
  resolveSession,
} from "@treelog/stores"
import { cleanLine, plural } from "@treelog-internal/text"
import type { Candidate } from "../errors/candidates.js"
import { UsageError } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"
import { shortSessionIds } from "../render/short-ids.js"
import { listed, listedStores } from "../store/chosen-store.js"
import { ownManager, type Sessions } from "../store/command-sessions.js"
import { type Failure, storedKeys } from "../store/stored-keys.js"
import {
  type CommandLibrary,
  type CommandSource,
  folderOf,
  openLibrary,
  openSource,
  scopeOfReading,
} from "./open-library.js"

/** The session that reading commands mean when none is named. */
const NEWEST = "@last"

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
    const { context: wide, scope } = await scopeOfReading(context, library, error.data.count === 0)
    if (wide === context) throw error
    return findIn(library, wide, ref, scope)
  }
}

async function findIn(
  library: CommandLibrary,
  context: CommandContext,
  ref: string,
  scope: string | undefined,
): Promise<FoundSession> {
  const { sources } = library
  const path = keyIn(sources, ref)
  if (path !== undefined) {
    const source = await sourceOfPath(context, library, path)
    return { source, key: await existing(source, path, ref) }
  }
  const { source, path: key } = await resolvedAloud(context, sources, ref, scope, () => library.resolve(ref, scope))
  return { source, key }
}

/** The key that a reference is, without a look at what is stored. @throws UsageError for the address of a store, which may contain a password that no message repeats */
function keyIn([first]: readonly Pick<ListedSource, "storage">[], ref: string): string | undefined {
  if (/^(?:postgres(?:ql)?|s3):\//i.test(ref))
    throw new UsageError(`${hideUrls(ref)} is not a session; --store takes the address of a store.`)
  return first?.storage.keyFromRef(ref)
}

/** @throws SessionNotFoundError where there is nothing at the key */
async function existing({ storage }: Pick<ListedSource, "storage">, key: string, ref: string): Promise<string> {
  if (await storage.stat(key)) return key
  throw noSessionAt(key, ref)
}

/** Says which of several copies was taken, and describes what may be meant where none is. */
async function resolvedAloud<From extends ListedSource>(
  context: CommandContext,
  sources: readonly From[],
  ref: string,
  scope: string | undefined,
  resolving: () => Promise<ResolvedSession<From>>,
): Promise<ResolvedSession<From>> {
  try {
    const found = await resolving()
    if (found.copies.length > 0) await context.log(copiesSentence(found.source.name, found.copies))
    return found
  } catch (error) {
    if (isTreelogError(error, "SessionNotFoundError")) throw await notFound(sources, ref, scope, error)
    throw isTreelogError(error, "AmbiguousSessionError") ? await describeCandidates(sources, error) : error
  }
}

/** Says which copy of a session was taken: one that is whole, and of these the newest. @param name of the store that has it */
function copiesSentence(name: string, copies: readonly Copy[]): string {
  const places = listed([...new Set(copies.map(({ source, path }) => (source.name === name ? path : source.name)))])
  return `This is the copy in ${name}, the newest that is whole; there is another one in ${places}.`
}

/**
 * The key that a reference means in some sources, be it there or not.
 * @param none what to say where there is no such session. Default: where it was looked for
 * @throws SessionNotFoundError, AmbiguousSessionError with descriptions of the candidates; UsageError for the address of a store
 */
export async function findKey(
  sources: readonly ListedSource[],
  context: CommandContext,
  ref: string,
  none?: string,
): Promise<string> {
  const scope = folderOf(context)
  const resolving = () => resolveSession(sources, ref, scope)
  try {
    return keyIn(sources, ref) ?? (await resolvedAloud(context, sources, ref, scope, resolving)).path
  } catch (error) {
    if (none === undefined || !isTreelogError(error, "SessionNotFoundError")) throw error
    throw new TreelogError("SessionNotFoundError", none, error.data)
  }
}

/** The key of a session that one store has. @throws as `findKey`, SessionNotFoundError also for a path at which there is nothing */
export async function existingKey(
  { storage, address: name, projectOf }: Pick<Sessions, "storage" | "address" | "projectOf">,
  context: CommandContext,
  ref: string,
): Promise<string> {
  return existing({ storage }, await findKey([{ name, storage, madeBy: "", projectOf }], context, ref), ref)
}

/** @throws InvalidSessionError */
export async function idOfSession({ source, key }: FoundSession): Promise<string> {
  const session = await (await ownManager(source)).open(key, { access: "read" })
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
  const [only] = sources.length === 1 ? sources : []
  // A key of a database is no path.
  if (only && !only.files && !only.agent) return only
  // Copies of another store are in the folder of treelog's own.
  const [inside] = sources
    .filter(({ address }) => isWithin(address, path))
    .sort((a, b) => b.address.length - a.address.length)
  const agent = (await agentOfFile(path)) ?? (inside ? undefined : path.endsWith(".jsonl.zst") ? "codex" : undefined)
  if (inside && (agent === undefined || agent === inside.agent)) return inside
  if (agent === undefined && only && !only.agent) return only
  return openSource(context, { program: undefined, options: { store: agent ?? "treelog" } })
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
    const keysOf = (source: CommandSource) => storedKeys(source, context)
    return { isAll: true, sources: sources.map((source) => ({ source, keys: keysOf(source) })) }
  }
  const { key, source } = await findToRead(context, ref)
  await logNewest(context, ref, key)
  return { isAll: false, sources: [{ source, keys: [{ key }] }] }
}

/** Says on stderr which session is meant where none was named: what is printed does not. */
export async function logNewest(context: CommandContext, ref: string | undefined, key: string): Promise<void> {
  if (ref === undefined) await context.log(`The newest session: ${cleanLine(key)}`)
}

/** Completes the error of a reference: it names where sessions were looked for. */
async function notFound(
  sources: readonly ListedSource[],
  ref: string,
  scope: string | undefined,
  error: TreelogError<"SessionNotFoundError">,
): Promise<TreelogError<"SessionNotFoundError">> {
  const { count, cwd } = error.data
  const [only] = sources.length === 1 ? sources : []
  if (only && count === undefined) return error
  const where = only ? only.name : `the stores of ${listedStores(sources.map(({ name }) => name))}`
  const message =
    count === undefined
      ? `There is no session ${JSON.stringify(ref)} in ${where}; \`treelog list --all\` lists them.`
      : `There ${onlySessions(count)}${cwd === undefined ? "" : ` of ${cwd}`} in ${where}${await unreadableIn(sources, scope)}.`
  return new TreelogError("SessionNotFoundError", message, error.data)
}

function onlySessions(count: number): string {
  return count === 0 ? "is no session" : count === 1 ? "is only 1 session" : `are only ${count} sessions`
}

/** For a sentence that there is no session: how many there are that cannot be read; empty for none. */
async function unreadableIn(sources: readonly ListedSource[], scope: string | undefined): Promise<string> {
  let count = 0
  for (const { storage, projectOf } of sources)
    for await (const { error } of listSessions(storage, scope, { projectOf })) if (error) count += 1
  return count === 0 ? "" : `; ${plural(count, "session")} cannot be read, \`treelog verify --all\` shows why`
}

/** Characters. */
const MAX_EXCERPT = 200

/** Adds to an error of an ambiguous reference the age and title of each candidate, newest first. */
async function describeCandidates(
  sources: readonly ListedSource[],
  { data }: TreelogError<"AmbiguousSessionError">,
): Promise<TreelogError<"AmbiguousSessionError">> {
  const paths = new Set(data.candidates.map(({ path }) => path))
  const found = new Map<string, SessionInfo>()
  const ids: string[] = []
  for (const { storage } of sources)
    for await (const info of listSessions(storage, undefined)) {
      ids.push(info.id)
      if (paths.has(info.path)) found.set(info.path, info)
    }
  const short = shortSessionIds([...ids, ...data.candidates.map(({ id }) => id)])
  const described = [...found.values()].sort(compareRecency).map(
    ({ path, id, name, firstMessage, modified }): Candidate => ({
      path,
      id,
      shortId: short.of(id),
      ...(name === undefined ? { firstMessage: firstMessage.slice(0, MAX_EXCERPT) } : { name }),
      modified,
    }),
  )
  const gone = data.candidates.filter(({ path }) => !found.has(path))
  const message = `${JSON.stringify(data.ref)} may mean ${plural(paths.size, "session")}; use more of an id, or a path.`
  return new TreelogError("AmbiguousSessionError", message, { ...data, candidates: [...described, ...gone] })
}
