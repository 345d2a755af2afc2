import type { SessionSource, StoredName } from "../../ports/session-source.js"
import { statToRead } from "../../session/reader/read-stored.js"
import { equal, ok } from "../assert.js"
import { bytes } from "../session-storage/samples.js"
import { type TestsOf, testsWhere } from "../suite.js"

/** A source to test. */
export interface SessionSourceCandidate {
  /** The name of the suite in the results. */
  readonly name: string
  /** A source of this kind. Tests that need a member that this one does not have are skipped, with the reason. It is not called. */
  readonly example: SessionSource
  /** Makes a new source, with sessions. Called once for each test. */
  setup(): Promise<SessionSourceSetup>
}

/** A new source for one test, and the program that writes its sessions. */
export interface SessionSourceSetup extends StoredSessions {
  readonly source: SessionSource
  /** Opens a second, independent source over the same data. */
  reopen(): Promise<SessionSource>
  /** Called after each test. */
  teardown(): Promise<void>
}

/** Sessions that are stored, and what is done to them without the source. */
export interface StoredSessions {
  /** At least two, of two folders. */
  readonly sessions: readonly StoredSample[]
  /** Continues the session: what was stored is the beginning of what is stored then. */
  grow(key: string): Promise<unknown>
  /** Changes what was stored. */
  rewrite(key: string): Promise<unknown>
  remove(key: string): Promise<unknown>
  /** What is stored where the sessions are, to be compared: names, sizes and times. */
  state(): Promise<unknown>
}

/** A session that is stored from the start. */
export interface StoredSample {
  readonly key: string
  readonly id: string
  readonly cwd: string
}

/** The input of a test: a new source, with shortcuts to check it. */
export interface SourceFixture extends SourceShortcuts {
  /** The sessions that are stored. */
  others(): Promise<StoredSessions>
  reopen(): Promise<SessionSource>
  close(): Promise<void>
}

/** What a test needs: a member of the source, or a second source over the same data. */
export type SourceNeed = "openRanges" | "watch" | "summaries" | "reopen"

export const where = testsWhere<SourceFixture, SourceNeed>

export type SourceTests = TestsOf<SourceFixture, SourceNeed>

type SourceShortcuts = ReturnType<typeof sourceShortcuts> & { readonly source: SessionSource }

/** Shortcuts that check what is in a source. */
export function sourceShortcuts(source: SessionSource) {
  /** The keys that the source lists, sorted. */
  const listed = (cwd?: string, project?: string): Promise<string[]> => keysOf(source.list({ cwd, project }))

  /** The keys that the source finds for an id, sorted; without those whose id it does not know. */
  const found = (id: string): Promise<string[]> => keysOf(source.find(id), (name) => name.id === id)

  /** The bytes under a key; undefined when there are none. */
  async function stored(key: string, of = source): Promise<Uint8Array | undefined> {
    const stat = await statToRead(of, key)
    return stat && of.readRange(key, 0, stat.size + 1)
  }

  /** Asserts that exactly these bytes are stored under the key. */
  async function holds(key: string, content: string | Uint8Array, of = source): Promise<void> {
    const expected = typeof content === "string" ? bytes(content) : content
    equal((await statToRead(of, key))?.size, expected.length, `the stored size of ${key}`)
    equal(await stored(key, of), expected, `what is stored under ${key}`)
  }

  async function holdsNothing(key: string): Promise<void> {
    equal(await source.stat(key), undefined, `the stat of ${key}`)
    ok(!(await listed()).includes(key), `${key} is not listed`)
  }

  return { listed, found, stored, holds, holdsNothing }
}

async function keysOf(names: AsyncIterable<StoredName>, fits = (_: StoredName) => true): Promise<string[]> {
  const keys: string[] = []
  for await (const name of names) if (fits(name)) keys.push(name.key)
  return keys.sort()
}
