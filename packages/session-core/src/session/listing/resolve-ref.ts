import { isJsonObject } from "../../entry/values.js"
import { isTreelogError, type SessionCandidate, TreelogError } from "../../errors.js"
import type { SessionSource, StoredName } from "../../ports/session-source.js"
import { readHeader } from "../reader/read-stored.js"
import type { ProjectOf } from "./is-of-folder.js"
import { summaryIn } from "./session-info.js"
import { listSessions, recentSessions } from "./session-list.js"

/** UUIDs, and ids of as many hexadecimal digits as other programs give. */
const RANDOM_ID = /^[0-9a-f-]{16,}$/i
const LEAST_OF_AN_END = 8

/**
 * Whether a reference may mean a session by its id: it is the beginning of it; or, of at least 8 characters, the end of a
 * random one, since time-ordered ids (UUIDv7) of one minute have the same beginning.
 */
export function matchesId(ref: string, id: string): boolean {
  if (id.startsWith(ref)) return true
  return ref.length >= LEAST_OF_AN_END && id.endsWith(ref) && RANDOM_ID.test(id)
}

/**
 * What names a session: `{ id }` a full id, and nothing else; a string a path, an id, an id prefix, a name, `@last` or `@-2`. A path must be
 * inside the store, unless the manager was made with `anyFile`.
 */
export type SessionRef = string | { readonly id: string }

/** The reference as errors carry it. */
export function refText(ref: SessionRef): string {
  return typeof ref === "string" ? ref : ref.id
}

/** How a reference is resolved. */
export interface ResolveOptions {
  /** Where `@last` and names look. Default: everywhere. */
  readonly cwd?: string | undefined
  /** Sessions of the project of `cwd` are meant too. */
  readonly projectOf?: ProjectOf | undefined
  /** Accept paths of any file. Default false: only those inside the store. */
  readonly anyFile?: boolean
}

/**
 * Finds the session that a reference means (FORMAT.md, section 8): a path, a full id, the beginning or the end of
 * one id, an exact name, `@last`, `@-2` (the second newest); of `{ id }`, the session with this id.
 * @throws SessionNotFoundError, AmbiguousSessionError, SessionOutsideStoreError, InvalidArgumentError for what is not a reference
 */
export async function resolveRef(
  storage: SessionSource,
  ref: SessionRef,
  { cwd, projectOf, anyFile = false }: ResolveOptions = {},
): Promise<string> {
  if (typeof ref !== "string") return resolveId(storage, ref)
  const recency = /^@(?:last|-([1-9]\d*))$/.exec(ref)
  if (recency) return nthNewest(storage, ref, Number(recency[1] ?? 1), { cwd, projectOf })
  const key = storage.keyFromRef(ref)
  if (key !== undefined) {
    if (!anyFile) await assertInside(storage, key, ref)
    return key
  }
  return only(ref, await sessionsByRef([storage], ref, { cwd, projectOf }))
}

/** The id alone decides, whatever the text would mean as a path, a prefix or a name. */
async function resolveId(storage: SessionSource, ref: unknown): Promise<string> {
  if (!isJsonObject(ref) || typeof ref.id !== "string") {
    const message = "A reference to a session is a string, or an object with its id."
    throw new TreelogError("InvalidArgumentError", message, { argument: "ref", value: ref })
  }
  const { id } = ref
  const search = new TextSearch([storage], id)
  const { exact, brokenExact } = await search.fitsOf(
    () => storage.find(id),
    (found) => found === id,
  )
  const known = (await present(exact)) ?? (await present(brokenExact))
  if (known) return only(id, known)
  throw search.unread ?? notFound(id, `No session of this store has the id ${JSON.stringify(id)}.`)
}

/** @throws SessionOutsideStoreError */
async function assertInside(storage: SessionSource, key: string, ref: string): Promise<void> {
  if (storage.isInside?.(key) || (!storage.isInside && (await isListed(storage, key)))) return
  const message = `${JSON.stringify(ref)} is not inside this store. Pass { id }, or make the SessionManager with anyFile: true, if its user may open any file.`
  throw new TreelogError("SessionOutsideStoreError", message, { ref })
}

async function isListed(storage: SessionSource, key: string): Promise<boolean> {
  for await (const name of storage.list()) if (name.key === key) return true
  return false
}

async function nthNewest(
  storage: SessionSource,
  ref: string,
  nth: number,
  { cwd, projectOf }: ResolveOptions,
): Promise<string> {
  const sessions = await recentSessions(storage, cwd, nth, projectOf)
  const found = sessions[nth - 1]
  if (found) return found.path
  const count = sessions.length
  const where = cwd === undefined ? "" : ` of ${cwd}`
  const only = count === 1 ? "is only 1 session" : `are only ${count} sessions`
  const message = count === 0 ? `There is no session${where}.` : `There ${only}${where}.`
  throw new TreelogError("SessionNotFoundError", message, { ref, count, ...(cwd !== undefined && { cwd }) })
}

/** A session that a reference may mean, in the storage that has it. */
export interface FoundCandidate<Storage = SessionSource> extends SessionCandidate {
  readonly storage: Storage
}

/** How well a text fits sessions: the first of these that any has is what it means. */
interface Fits<Storage> {
  /** By the whole id in the header. */
  readonly exact: FoundCandidate<Storage>[]
  /** By the beginning of it, or the end. */
  readonly fitting: FoundCandidate<Storage>[]
  /** By the id in the name of one whose header cannot be read: whole, or by its beginning or end. */
  readonly brokenExact: FoundCandidate<Storage>[]
  readonly broken: FoundCandidate<Storage>[]
  /** By the id in a name, where the header has another one: a copied or renamed file. */
  readonly misnamed: FoundCandidate<Storage>[]
}

/**
 * The sessions that a text fits best, in one storage or several: by the whole id, by its beginning or end, by the name of the session, and
 * by an id in the key that no header has. A full id is found without a list of all.
 * @returns at least one; several are copies where they have one id, and else what the text is ambiguous between
 * @throws SessionNotFoundError; StorageError where nothing was found and a storage cannot be read
 */
export async function sessionsByRef<Storage extends SessionSource>(
  storages: readonly Storage[],
  ref: string,
  scope: Pick<ResolveOptions, "cwd" | "projectOf"> = {},
): Promise<[FoundCandidate<Storage>, ...FoundCandidate<Storage>[]]> {
  if (ref.trim() === "") throw notFound(ref, "An empty reference names no session.")
  const search = new TextSearch(storages, ref)
  const { exact } = await search.fitsOf(
    (storage) => storage.find(ref),
    (id) => id === ref,
  )
  const known = await present(exact)
  if (known) return known
  const fits = await search.fitsOf(
    (storage) => storage.list(),
    (id) => matchesId(ref, id),
  )
  for (const found of [fits.exact, fits.fitting, fits.brokenExact, fits.broken]) {
    const known = await present(found)
    if (known) return known
  }
  const named = await present(await search.named(scope))
  if (named) return named
  const { exact: listed, fitting } = await search.listed()
  for (const found of [listed, fitting, fits.misnamed]) {
    const known = await present(found)
    if (known) return known
  }
  throw (
    search.unread ??
    notFound(ref, `No session has the path or the name ${JSON.stringify(ref)}, or an id that begins or ends with it.`)
  )
}

/** Looks for what a text fits, in each storage. */
class TextSearch<Storage extends SessionSource> {
  /** Why sessions could not be looked for, such as in a database that is busy. */
  unread: Error | undefined
  readonly #storages: readonly Storage[]
  readonly #ref: string
  /** The ids of the sessions that were opened already, by key. */
  readonly #opened = new Map<Storage, Map<string, string | undefined>>()

  constructor(storages: readonly Storage[], ref: string) {
    this.#storages = storages
    this.#ref = ref
  }

  /**
   * By the keys alone where they contain the id: only the sessions that fit are opened, to see that the header agrees. The only one is not where its
   * source knows the end of it without the rest: that would be converted for the header, which has the id that it is listed with.
   */
  async fitsOf(
    namesIn: (storage: Storage) => AsyncIterable<StoredName>,
    fits: (id: string) => boolean,
  ): Promise<Fits<Storage>> {
    const found: Fits<Storage> = { exact: [], fitting: [], brokenExact: [], broken: [], misnamed: [] }
    const named: { readonly storage: Storage; readonly name: StoredName }[] = []
    await this.#inEach(async (storage) => {
      for await (const name of namesIn(storage)) {
        const { id, error } = name
        if (id === undefined && isTreelogError(error, "StorageError")) this.unread ??= error
        if (!error && (id === undefined || fits(id))) named.push({ storage, name })
      }
    })
    const isOnly = named.length === 1
    for (const { storage, name } of named) {
      const id = isOnly && storage.end && name.id !== undefined ? name.id : await this.#idOf(storage, name)
      const candidate = { storage, path: name.key, id: id ?? name.id ?? "" }
      if (id === this.#ref) found.exact.push(candidate)
      else if (id !== undefined && fits(id)) found.fitting.push(candidate)
      else if (name.id !== undefined)
        found[id !== undefined ? "misnamed" : name.id === this.#ref ? "brokenExact" : "broken"].push(candidate)
    }
    return found
  }

  /** By the names of sessions. */
  async named({ cwd, projectOf }: Pick<ResolveOptions, "cwd" | "projectOf">): Promise<FoundCandidate<Storage>[]> {
    const found: FoundCandidate<Storage>[] = []
    await this.#inEach(async (storage) => {
      for await (const { path, id, name } of listSessions(storage, cwd, { projectOf }))
        if (name === this.#ref) found.push({ storage, path, id, name })
    })
    return found
  }

  /** By the ids that a list shows: of files that are named otherwise. */
  async listed(): Promise<Pick<Fits<Storage>, "exact" | "fitting">> {
    const found: Pick<Fits<Storage>, "exact" | "fitting"> = { exact: [], fitting: [] }
    await this.#inEach(async (storage) => {
      for await (const { path, id, error } of listSessions(storage, undefined))
        if (!error && matchesId(this.#ref, id))
          found[id === this.#ref ? "exact" : "fitting"].push({ storage, path, id })
    })
    return found
  }

  /** One storage that cannot be read keeps no session of the others from being found. */
  async #inEach(work: (storage: Storage) => Promise<void>): Promise<void> {
    for (const storage of this.#storages)
      try {
        await work(storage)
      } catch (error) {
        if (this.#storages.length === 1 || !isTreelogError(error, "StorageError")) throw error
        this.unread ??= error
      }
  }

  async #idOf(storage: Storage, name: StoredName): Promise<string | undefined> {
    const opened = this.#opened.get(storage) ?? new Map<string, string | undefined>()
    this.#opened.set(storage, opened)
    if (!opened.has(name.key)) opened.set(name.key, await idOf(storage, name))
    return opened.get(name.key)
  }
}

/** The key of a stored session whose name has the id. No session is opened. */
export async function keyOfId(storage: SessionSource, id: string): Promise<string | undefined> {
  for await (const name of storage.find(id)) if (name.id === id) return name.key
  return undefined
}

/** The id in the header; undefined for what is not a session. */
async function idOf(storage: SessionSource, { key, id }: StoredName): Promise<string | undefined> {
  try {
    // A source that knows the end of a session without the rest would convert it for the header.
    const isListed = id === undefined || storage.end !== undefined
    return (isListed && (await knownId(storage, key))) || (await readHeader(storage, key))?.id
  } catch {
    // One session that cannot be read, for whatever reason, does not keep the others from being found; a list shows its error.
    return undefined
  }
}

/** The id that a listing found, where the key contains none: not each of such sessions has to be opened. */
export async function knownId(storage: SessionSource, key: string): Promise<string | undefined> {
  const { cached } = (await storage.summaries?.find(key)) ?? {}
  const info = cached?.isCurrent ? summaryIn(cached)?.info : undefined
  return info?.error ? undefined : info?.id
}

/** Each once: one that was found at two places was moved meanwhile, and is at one of them. Undefined without any. */
async function present<Storage extends SessionSource>(
  found: readonly FoundCandidate<Storage>[],
): Promise<[FoundCandidate<Storage>, ...FoundCandidate<Storage>[]] | undefined> {
  const [first, ...others] = found
  if (!first) return undefined
  if (others.length === 0) return [first]
  const there: FoundCandidate<Storage>[] = []
  for (const one of found) {
    const isKnown = there.some(({ storage, path }) => storage === one.storage && path === one.path)
    if (!isKnown && (await one.storage.stat(one.path))) there.push(one)
  }
  const [one, ...more] = there
  return one && [one, ...more]
}

/** @throws AmbiguousSessionError for several */
function only(ref: string, [first, ...others]: [FoundCandidate, ...FoundCandidate[]]): string {
  if (others.length === 0) return first.path
  throw ambiguous(ref, [first, ...others])
}

/** The error of a reference that may mean several sessions. */
export function ambiguous(ref: string, found: readonly FoundCandidate[]): TreelogError<"AmbiguousSessionError"> {
  const candidates = found.map(({ path, id, name }) => ({ path, id, ...(name !== undefined && { name }) }))
  const message = `${JSON.stringify(ref)} may mean ${found.length} sessions; use more of an id, or a path.`
  return new TreelogError("AmbiguousSessionError", message, { ref, candidates })
}

function notFound(ref: string, message: string): TreelogError {
  return new TreelogError("SessionNotFoundError", message, { ref })
}
