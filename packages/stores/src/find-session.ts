import { isTreelogError, type SessionCandidate, type SessionInfo, TreelogError } from "@treelog/session-core"
import {
  comparePreference,
  compareRecency,
  listSessions,
  type ProjectOf,
  recentSessions,
  resolveRef,
} from "@treelog/session-core/adapter"
import { JointStorage } from "./joint-storage.js"
import type { OpenStore } from "./open-store.js"

/** `@last`, `@-2`. */
const RECENT = /^@(?:last|-([1-9]\d{0,5}))$/

/** Whether a reference counts the newest sessions, so that it means another one in another folder. */
export function isRecency(ref: string): boolean {
  return RECENT.test(ref)
}

/** Where `@last` looks, and whose sessions a name means first. */
export interface FindScope {
  /** An absolute path; undefined for everywhere. */
  readonly cwd?: string | undefined
  /** Sessions of the project of that folder are meant too. */
  readonly projectOf?: ProjectOf | undefined
}

/** A session in a store. */
export interface Found<Store> {
  readonly store: Store
  readonly key: string
}

/** The newest copy of a session, and where the others are. */
export interface FoundCopies<Store> extends Found<Store> {
  readonly others: readonly Found<Store>[]
}

/**
 * Finds the session that a reference means in any of several stores: by its id, the start or the end of it, or its name, wherever it is;
 * `@last` and `@-2` among those of the scope. Sessions with the same id are copies of one: the newest is meant.
 * @param scopeOf the scope in a store
 * @throws SessionNotFoundError, AmbiguousSessionError
 */
export async function findSession<Store extends Pick<OpenStore, "storage">>(
  stores: readonly [Store, ...Store[]],
  ref: string,
  scopeOf: (store: Store) => FindScope,
): Promise<FoundCopies<Store>> {
  const recent = RECENT.exec(ref)
  if (recent) return nthNewest(stores, ref, Number(recent[1] ?? 1), scopeOf)
  const [first, ...rest] = stores
  const joint = new JointStorage([first.storage, ...rest.map(({ storage }) => storage)])
  const found = (key: string): Found<Store> => {
    const owner = joint.ownerOf(key)
    return { store: stores.find(({ storage }) => storage === owner) ?? first, key }
  }
  const keys = await keysOf(joint, ref, scopeOf(first))
  const [one, ...others] = keys
  return others.length === 0 ? { ...found(one), others: [] } : newestOf([found(one), ...others.map(found)])
}

/** The keys of the copies of the one session that is meant. */
async function keysOf(joint: JointStorage, ref: string, scope: FindScope): Promise<[string, ...string[]]> {
  try {
    return [await resolveRef(joint, ref, { anyFile: true })]
  } catch (error) {
    if (!isTreelogError(error, "AmbiguousSessionError")) throw error
    const { candidates } = (error as TreelogError<"AmbiguousSessionError">).data
    const keys = keysOfOne(candidates)
    if (keys) return keys
    if (scope.cwd === undefined || candidates.some(({ name }) => name === undefined)) throw error
    const here = new Set<string>()
    for await (const { path } of listSessions(joint, scope.cwd, { projectOf: scope.projectOf })) here.add(path)
    const near = keysOfOne(candidates.filter(({ path }) => here.has(path)))
    if (near) return near
    throw error
  }
}

/** The keys of sessions that are copies of one; undefined for none, and for several. */
function keysOfOne(sessions: readonly SessionCandidate[]): [string, ...string[]] | undefined {
  const [first, ...others] = sessions
  return first && others.every(({ id }) => id === first.id)
    ? [first.path, ...others.map(({ path }) => path)]
    : undefined
}

async function nthNewest<Store extends Pick<OpenStore, "storage">>(
  stores: readonly Store[],
  ref: string,
  nth: number,
  scopeOf: (store: Store) => FindScope,
): Promise<FoundCopies<Store>> {
  const all: Listed<Store>[] = []
  for (const store of stores) {
    const { cwd, projectOf } = scopeOf(store)
    for (const info of await recentSessions(store.storage, cwd, nth + stores.length, projectOf))
      all.push({ store, info })
  }
  const copies = copiesById(all)
  const sorted = [...copies.values()].sort(([a], [b]) => comparePreference(a.info, b.info))
  const [newest, ...others] = sorted[nth - 1] ?? []
  if (newest) return { ...asFound(newest), others: others.map(asFound) }
  const many = sorted.length === 1 ? "is only 1 session" : `are only ${sorted.length} sessions`
  const message = sorted.length === 0 ? "There is no session here." : `There ${many} here.`
  throw new TreelogError("SessionNotFoundError", message, { ref })
}

/** A session of a list, with its store. */
export interface Listed<Store> {
  readonly store: Store
  readonly info: SessionInfo
}

/**
 * Groups sessions by their id: those with the same one are copies, the newest first; of the same time, in the order of the list. What
 * cannot be read is a copy of nothing.
 */
export function copiesById<Item extends Listed<unknown>>(items: readonly Item[]): Map<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const { id, path, error } = item.info
    const name = error || id === "" ? `:${path}` : id
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  for (const group of groups.values()) group.sort((a, b) => compareRecency(a.info, b.info))
  return groups
}

function asFound<Store>({ store, info }: Listed<Store>): Found<Store> {
  return { store, key: info.path }
}

async function newestOf<Store extends Pick<OpenStore, "storage">>(
  copies: readonly [Found<Store>, ...Found<Store>[]],
): Promise<FoundCopies<Store>> {
  const listed: Listed<Store>[] = []
  for (const { store, key } of copies)
    for await (const info of listSessions(new JointStorage([store.storage], key), undefined))
      listed.push({ store, info })
  const [newest, ...others] = listed.sort((a, b) => compareRecency(a.info, b.info))
  // They were removed meanwhile.
  if (!newest) return { ...copies[0], others: [] }
  return { ...asFound(newest), others: others.map(asFound) }
}
