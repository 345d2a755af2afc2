import type { SessionStorage } from "@treelog/session-core"
import { MemorySessionStorage } from "@treelog/session-core"
import type { FoundSession, Lease, ListFilter, StoredName } from "@treelog/session-core/adapter"
import {
  parseQuery,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
  type SessionIndex,
} from "@treelog/session-core/search"
import { answersAsNew } from "./as-new.js"
import { equal, ok } from "./assert.js"

/** An index of sessions to test. */
export interface SessionIndexCandidate<Setup extends SessionIndexSetup = SessionIndexSetup> {
  /** The name of the suite in the results. */
  readonly name: string
  /** Makes an empty index of the sessions of a storage. Called once for each test. */
  setup(storage: SessionStorage): Promise<Setup>
  /** Opens a second, independent index over the same data. Omit it if these do not outlive the index. */
  reopen?(setup: Setup): Promise<SessionIndex>
}

/** A new index for one test. Additional properties are passed to `reopen`. */
export interface SessionIndexSetup {
  readonly index: SessionIndex
  /** Called after each test. */
  teardown(): Promise<void>
}

/** A storage whose tests say which of its sessions are parts of others. */
export class PartedStorage extends MemorySessionStorage {
  /** By key. */
  readonly placeOf: Map<string, NonNullable<FoundSession["part"]>> = new Map()

  override async *list(filter: ListFilter = {}): AsyncGenerator<StoredName> {
    for await (const name of super.list(filter)) {
      const part = this.placeOf.get(name.key)
      if (!part) yield name
      else if (filter.parts) yield { ...name, part }
    }
  }
}

/** The input of a test: an empty storage, its index, and operations on both. */
export interface IndexFixture {
  readonly storage: PartedStorage
  readonly index: SessionIndex
  /** Stores a session of entries, a day after the last one. */
  session(id: string, entries: readonly object[], header?: object): Promise<string>
  /** Creates a part of a session. */
  part(
    id: string,
    place: NonNullable<FoundSession["part"]>,
    entries: readonly object[],
    header?: object,
  ): Promise<string>
  /** Appends text to a stored session. */
  append(key: string, text: string): Promise<void>
  /** Stores other bytes under the key of a session. */
  replace(key: string, text: string): Promise<void>
  change(key: string, work: (lease: Lease) => Promise<unknown>): Promise<void>
  /** Updates the index, and asserts that it answers as a new one does. */
  update(): Promise<void>
  /** Searches for what a user would type. */
  search(text: string, options?: Partial<SearchQuery>): Promise<SearchResult>
  /** Asserts which entries a search finds, in the order of the hits. */
  finds(text: string, ids: readonly string[], options?: Partial<SearchQuery>): Promise<void>
  reopen(): Promise<SessionIndex>
  close(): Promise<void>
}

/** Tests, by what they hold. */
export type Tests = Readonly<Record<string, (fixture: IndexFixture) => Promise<void>>>

/** When the first session of a test begins, and the time of the tests' queries. Milliseconds since 1970. */
export const START = Date.UTC(2026, 2, 2, 9)
export const NOW = Date.UTC(2026, 10, 23, 12)
const DAY = 24 * 60 * 60 * 1000
const MINUTE = 60_000

export async function openFixture<Setup extends SessionIndexSetup>(
  candidate: SessionIndexCandidate<Setup>,
): Promise<IndexFixture> {
  const storage = new PartedStorage()
  const setup = await candidate.setup(storage)
  const { index } = setup
  let sessions = 0
  const change = async (key: string, work: (lease: Lease) => Promise<unknown>): Promise<void> => {
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
    await work(lease)
    await lease.sync()
    await lease.release()
  }
  const search = (text: string, options: Partial<SearchQuery> = {}): Promise<SearchResult> =>
    index.search({ ...parseQuery(text, NOW), ...options })
  const session = async (id: string, entries: readonly object[], header: object = {}): Promise<string> => {
    const start = START + sessions++ * DAY
    const timestamp = new Date(start).toISOString()
    const cwd = "/home/ada/shop"
    const key = storage.keyFor({ cwd, id, timestamp })
    const first = { type: "session", version: 3, id, timestamp, cwd, ...header }
    const lines = linesOf([first, ...linked(entries, start)])
    await change(key, (lease) => lease.create([bytesOf(lines)]))
    return key
  }
  return {
    storage,
    index,
    change,
    search,
    session,
    part: async (id, place, entries, header) => {
      const key = await session(id, entries, header)
      storage.placeOf.set(key, place)
      return key
    },
    append: (key, text) => change(key, async (lease) => lease.append(bytesOf(text), await statOf(storage, key))),
    replace: (key, text) =>
      change(key, async (lease) => lease.replace([bytesOf(text)], { expected: await statOf(storage, key) })),
    update: async () => {
      const { failed } = await index.update()
      equal(failed, [], "what could not be read")
      await answersAsNew(index, storage)
    },
    finds: async (text, ids, options) => {
      equal(
        hitsOf(await search(text, options)).map(({ entryId }) => entryId),
        ids,
        `what ${JSON.stringify(text)} finds`,
      )
    },
    reopen: async () => {
      ok(candidate.reopen !== undefined, "the candidate has `reopen`")
      return candidate.reopen(setup)
    },
    close: () => setup.teardown(),
  }
}

/** All hits, whatever their session. */
export function hitsOf({ sessions }: SearchResult): SearchHit[] {
  return sessions.flatMap(({ hits }) => hits)
}

async function statOf(storage: SessionStorage, key: string) {
  const stat = await storage.stat(key)
  ok(stat !== undefined, `${key} is stored`)
  return stat
}

/** Gives each entry the one before as its parent, and a time a minute after it, where it has none. */
function linked(entries: readonly object[], start: number): object[] {
  let parentId: string | null = null
  return entries.map((entry, at) => {
    const whole = { parentId, timestamp: new Date(start + (at + 1) * MINUTE).toISOString(), ...entry }
    parentId = "id" in entry && typeof entry.id === "string" ? entry.id : parentId
    return whole
  })
}

export function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("")
}

/** An entry as a line. */
export function line(entry: object, time = "2026-05-01T00:00:00.000Z"): string {
  return linesOf([{ parentId: null, timestamp: time, ...entry }])
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
