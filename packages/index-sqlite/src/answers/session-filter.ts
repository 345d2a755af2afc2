import {
  endsWithPath,
  FILTER_NAMES,
  FILTERS,
  fileNamesOf,
  fitsSession,
  hitPartOf,
  type IndexedSession,
  type IndexFilter,
  ownerPlace,
  placeOf,
} from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { copiesOf, countsIn, type EntryIdentity, type EntryPlace, FIRST, mayShare, NO_COPY } from "../tables/copies.js"
import type { SessionRows } from "../tables/session-rows.js"

/** The numbers of the sessions that fit a filter; undefined if all do. */
export type FittingSessions = ReadonlyMap<number, IndexedSession> | undefined

export function fittingSessions(
  connection: SqliteConnection,
  sessions: SessionRows,
  filter: IndexFilter,
): FittingSessions {
  const { cwd, session, file, isWanted, sources } = filter
  // A function has no name to remember it by.
  if (isWanted) return fittingOf(connection, sessions, filter)
  const isOfSome = sources && sessions.sources.names.some((name) => !sources.includes(name))
  const values = [
    ...[cwd, session, file],
    isOfSome ? sources : undefined,
    ...FILTER_NAMES.map((name) => (FILTERS[name].of === "session" ? filter[name] : undefined)),
  ]
  if (values.every((value) => value === undefined)) return undefined
  // JSON has no undefined: an empty text is another filter than none.
  const key = JSON.stringify(values.map((value) => (value === undefined ? [] : [value])))
  return remembered(connection, key, () => fittingOf(connection, sessions, filter))
}

function fittingOf(
  connection: SqliteConnection,
  sessions: SessionRows,
  filter: IndexFilter,
): ReadonlyMap<number, IndexedSession> {
  const { file, sources } = filter
  const all = sessions.all(sources).map(([n, { session }]) => [n, session] as const)
  const hasParts = all.some(([, { part }]) => part !== undefined)
  const byPlace = new Map(hasParts ? all.map(([, session]) => [placeOf(session), session]) : [])
  const touching = file === undefined ? undefined : sessionsWith(connection, file)
  const touched = touching && new Set(all.flatMap(([n, session]) => (touching.has(n) ? [ownerPlace(session)] : [])))
  const fitting = all.flatMap(([n, session]): [number, IndexedSession][] => {
    const owner = (session.part && byPlace.get(ownerPlace(session))) ?? session
    const isTouched = !touched || touched.has(ownerPlace(session))
    return isTouched && fitsSession(filter, owner) ? [[n, session]] : []
  })
  return new Map(fitting)
}

function sessionsWith(connection: SqliteConnection, file: NonNullable<IndexFilter["file"]>): ReadonlySet<number> {
  const find = connection.sql(`
    SELECT DISTINCT session FROM file_use WHERE path IN (SELECT value FROM json_each(?))`)
  const rows = find.all<{ session: number }>(JSON.stringify([...pathsThatFit(connection, file).keys()]))
  return new Set(rows.map(({ session }) => session))
}

/** The paths that end with this one, or with one of these, by their numbers. */
export function pathsThatFit(
  connection: SqliteConnection,
  end: NonNullable<IndexFilter["file"]>,
): ReadonlyMap<number, string> {
  const find = connection.sql("SELECT n, text FROM path WHERE lower(base) IN (SELECT lower(value) FROM json_each(?))")
  const rows = find.all<{ n: number; text: string }>(JSON.stringify(fileNamesOf(end)))
  return new Map(rows.filter(({ text }) => endsWithPath(text, end)).map(({ n, text }) => [n, text]))
}

type Copied = EntryIdentity & EntryPlace & { readonly copies: number }

/** Whether an entry is one of its copies that count, of those in sessions that fit. */
export function isCounted(
  connection: SqliteConnection,
  sessions: SessionRows,
  entry: Copied,
  fitting: FittingSessions,
): boolean {
  if (entry.copies === NO_COPY) return true
  if (fitting === undefined) return entry.copies === FIRST
  return countsIn(
    sessions,
    entry,
    copiesOf(connection, entry).filter(({ session }) => fitting.has(session)),
  )
}

/** The sessions that fit and have an entry, and their parts that have it. Empty where only one has. */
export function sessionsWithCopy(
  connection: SqliteConnection,
  sessions: SessionRows,
  entry: Copied,
  fitting: FittingSessions,
): { readonly session: IndexedSession; readonly part: ReturnType<typeof hitPartOf> }[] {
  if (entry.copies === NO_COPY) return []
  return copiesOf(connection, entry)
    .filter((copy) => fitting?.has(copy.session) !== false && mayShare(sessions, copy, entry))
    .flatMap(({ session }) => {
      const state = sessions.get(session)
      return state ? [{ session: sessions.owner(state), part: hitPartOf(state.session) }] : []
    })
}

interface Kept {
  readonly state: string
  readonly values: Map<string, unknown>
}

/** More than that is dropped. */
const MOST = 16
const kept = new WeakMap<SqliteConnection, Kept>()

/**
 * What is derived from an index, such as which sessions fit a filter: derived once, until the index changes.
 * @param key different for all that is derived
 */
function remembered<Value>(connection: SqliteConnection, key: string, derive: () => Value): Value {
  const state = stateOf(connection)
  let known = kept.get(connection)
  if (known?.state !== state || known.values.size > MOST) known = { state, values: new Map() }
  kept.set(connection, known)
  if (!known.values.has(key)) known.values.set(key, derive())
  return known.values.get(key) as Value
}

/** Changes with every change of the index, by this connection or by another. */
function stateOf(connection: SqliteConnection): string {
  const others = connection.sql("PRAGMA data_version").get<{ data_version: number }>()
  const own = connection.sql("SELECT total_changes() AS changes").get<{ changes: number }>()
  return `${others?.data_version} ${own?.changes}`
}
