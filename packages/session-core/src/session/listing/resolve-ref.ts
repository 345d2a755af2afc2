import { isJsonObject } from "../../entry/values.js"
import { isTreelogError, type SessionCandidate, TreelogError } from "../../errors.js"
import type { SessionStorage, StoredName } from "../../ports/session-storage.js"
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
  storage: SessionStorage,
  ref: SessionRef,
  { cwd, projectOf, anyFile = false }: ResolveOptions = {},
): Promise<string> {
  if (typeof ref !== "string") return resolveId(storage, ref)
  if (ref.trim() === "") throw notFound(ref, "An empty reference names no session.")
  const recency = /^@(?:last|-([1-9]\d*))$/.exec(ref)
  if (recency) return nthNewest(storage, ref, Number(recency[1] ?? 1), { cwd, projectOf })
  const key = storage.keyFromRef(ref)
  if (key !== undefined) {
    if (!anyFile) await assertInside(storage, key, ref)
    return key
  }
  const { found, unread } = await findByText(storage, ref)
  if (found !== undefined) return found
  return findByName(storage, ref, { cwd, projectOf }).catch((error) => {
    throw unread && isTreelogError(error, "SessionNotFoundError") ? unread : error
  })
}

/** The id alone decides, whatever the text would mean as a path, a prefix or a name. */
async function resolveId(storage: SessionStorage, ref: unknown): Promise<string> {
  if (!isJsonObject(ref) || typeof ref.id !== "string") {
    const message = "A reference to a session is a string, or an object with its id."
    throw new TreelogError("InvalidArgumentError", message, { argument: "ref", value: ref })
  }
  const { id } = ref
  const { exact, broken, unread } = await candidates(storage, storage.find(id), id, (found) => found === id)
  const key = (await only(storage, id, exact)) ?? (await only(storage, id, broken))
  if (key !== undefined) return key
  throw unread ?? notFound(id, `No session of this store has the id ${JSON.stringify(id)}.`)
}

/** @throws SessionOutsideStoreError */
async function assertInside(storage: SessionStorage, key: string, ref: string): Promise<void> {
  if (storage.isInside?.(key) || (!storage.isInside && (await isListed(storage, key)))) return
  const message = `${JSON.stringify(ref)} is not inside this store. Pass { id }, or make the SessionManager with anyFile: true, if its user may open any file.`
  throw new TreelogError("SessionOutsideStoreError", message, { ref })
}

async function isListed(storage: SessionStorage, key: string): Promise<boolean> {
  for await (const name of storage.list()) if (name.key === key) return true
  return false
}

async function nthNewest(
  storage: SessionStorage,
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
  throw notFound(ref, count === 0 ? `There is no session${where}.` : `There ${only}${where}.`)
}

/** The key of the session with this id, else of the only one that the text fits. A full id is found without a list of all. */
async function findByText(
  storage: SessionStorage,
  ref: string,
): Promise<{ found: string | undefined; unread: Error | undefined }> {
  const opened = new Map<string, string | undefined>()
  const found = await candidates(storage, storage.find(ref), ref, (id) => id === ref, opened)
  const known = await only(storage, ref, found.exact)
  if (known !== undefined) return { found: known, unread: undefined }
  const { exact, fitting, broken, unread } = await candidates(
    storage,
    storage.list(),
    ref,
    (id) => matchesId(ref, id),
    opened,
  )
  const named = broken.filter(({ id }) => id === ref)
  for (const candidates of [exact, fitting, named, broken]) {
    const key = await only(storage, ref, candidates)
    if (key !== undefined) return { found: key, unread }
  }
  return { found: undefined, unread }
}

/**
 * By the names alone where they contain the id: only the sessions that fit are opened, to see that the header agrees. A session
 * whose header cannot be read goes by its name, where no other one fits: it can be read, and repaired.
 * @param opened the ids of the sessions that were opened already, by key
 * @returns also why sessions could not be looked for, such as in a database that is busy
 */
async function candidates(
  storage: SessionStorage,
  names: AsyncIterable<StoredName>,
  ref: string,
  fits: (id: string) => boolean,
  opened = new Map<string, string | undefined>(),
): Promise<Record<"exact" | "fitting" | "broken", SessionCandidate[]> & { unread: Error | undefined }> {
  const exact: SessionCandidate[] = []
  const fitting: SessionCandidate[] = []
  const broken: SessionCandidate[] = []
  let unread: Error | undefined
  for await (const name of names) {
    const { key } = name
    if (name.id === undefined && isTreelogError(name.error, "StorageError")) unread ??= name.error
    if (name.error || (name.id !== undefined && !fits(name.id))) continue
    const id = opened.has(key) ? opened.get(key) : await idOf(storage, name)
    opened.set(key, id)
    if (id === ref) exact.push({ path: key, id })
    else if (id !== undefined && fits(id)) fitting.push({ path: key, id })
    else if (id === undefined && name.id !== undefined) broken.push({ path: key, id: name.id })
  }
  return { exact, fitting, broken, unread }
}

/** The key of a stored session whose name has the id. No session is opened. */
export async function keyOfId(storage: SessionStorage, id: string): Promise<string | undefined> {
  for await (const name of storage.find(id)) if (name.id === id) return name.key
  return undefined
}

/** The id in the header; undefined for what is not a session. */
async function idOf(storage: SessionStorage, { key, id }: StoredName): Promise<string | undefined> {
  try {
    return (id === undefined && (await knownId(storage, key))) || (await readHeader(storage, key))?.id
  } catch {
    // One session that cannot be read, for whatever reason, does not keep the others from being found; a list shows its error.
    return undefined
  }
}

/** The id that a listing found, where the key contains none: not each of such sessions has to be opened. */
export async function knownId(storage: SessionStorage, key: string): Promise<string | undefined> {
  const { cached } = (await storage.summaries?.find(key)) ?? {}
  const info = cached?.isCurrent ? summaryIn(cached)?.info : undefined
  return info?.error ? undefined : info?.id
}

async function findByName(storage: SessionStorage, ref: string, { cwd, projectOf }: ResolveOptions): Promise<string> {
  const found: SessionCandidate[] = []
  for await (const { path, id, name } of listSessions(storage, cwd, { projectOf }))
    if (name === ref) found.push({ path, id, name })
  const key = await only(storage, ref, found)
  if (key !== undefined) return key
  throw notFound(
    ref,
    `No session has the path or the name ${JSON.stringify(ref)}, or an id that begins or ends with it.`,
  )
}

/** @throws AmbiguousSessionError for several, but for one that was found at two places while it was moved */
async function only(
  storage: SessionStorage,
  ref: string,
  found: readonly SessionCandidate[],
): Promise<string | undefined> {
  if (found.length < 2) return found[0]?.path
  const candidates: SessionCandidate[] = []
  for (const one of new Map(found.map((each) => [each.path, each])).values())
    if (await storage.stat(one.path)) candidates.push(one)
  if (candidates.length < 2) return candidates[0]?.path
  const message = `${JSON.stringify(ref)} may mean ${candidates.length} sessions; use more of an id, or a path.`
  throw new TreelogError("AmbiguousSessionError", message, { ref, candidates })
}

function notFound(ref: string, message: string): TreelogError {
  return new TreelogError("SessionNotFoundError", message, { ref })
}
