import type { NewestSessions, StorageStat, SummaryCache } from "../../ports/session-source.js"
import { equal, ok } from "../assert.js"
import { type Fixture, type Tests, where } from "./fixture.js"
import { bytes } from "./samples.js"

const VERSION = 7

function summariesOf({ storage }: Fixture): SummaryCache & Required<Pick<SummaryCache, "newest">> {
  const { summaries } = storage
  ok(summaries?.newest !== undefined, "its summaries have `newest` where the candidate has `findsNewest`")
  return summaries as SummaryCache & Required<Pick<SummaryCache, "newest">>
}

const stateOf = (modified: number, version = VERSION) => ({
  version,
  cwd: "/home/user/project",
  modified,
  info: { modified },
  resume: {},
})

/** Stores sessions whose summaries say that they are from 1, 2, 3… and returns their keys in this order. */
async function summarized(fixture: Fixture, count: number): Promise<{ key: string; stat: StorageStat }[]> {
  const summaries = summariesOf(fixture)
  const stored: { key: string; stat: StorageStat }[] = []
  for (let time = 1; time <= count; time++) {
    const { key, lease, stat } = await fixture.session("one\n")
    await lease.release()
    summaries.put(key, stat, stateOf(time))
    stored.push({ key, stat })
  }
  await summaries.flush()
  return stored
}

function keysIn(found: NewestSessions | undefined): string[] {
  ok(found !== undefined, "few sessions without a summary do not call for a scan")
  return found.sessions.map(({ key }) => key).sort()
}

/** Asserts that a session without a current summary is found, however old its former summary was. */
async function findsUnread(fixture: Fixture, key: string, version = VERSION): Promise<void> {
  const found = await summariesOf(fixture).newest({}, 1, version)
  ok(keysIn(found).includes(key), `${key} is found although nothing is known of its time`)
  const session = found?.sessions.find((each) => each.key === key)
  equal(session?.stat, await fixture.storage.stat(key), "its state")
}

/** Tests of `summaries.newest`. */
export const newestTests: Tests = where("findsNewest", {
  "finds the newest by their summaries, and the time of the rest": async (fixture) => {
    const stored = await summarized(fixture, 5)
    const found = await summariesOf(fixture).newest({}, 2, VERSION)
    const newest = stored.slice(3).map(({ key }) => key)
    equal(keysIn(found), newest.sort(), "the newest two")
    equal(
      found?.sessions.map(({ cached }) => [cached?.isCurrent, cached?.state.modified]).sort(),
      [4, 5].map((time) => [true, time]),
      "what is known of them",
    )
    const leftOut = found?.leftOut?.modified
    ok(leftOut !== undefined && leftOut >= 3 && leftOut <= 4, "the rest is no newer than `leftOut`")
  },

  "leaves none out where there are not more": async (fixture) => {
    const stored = await summarized(fixture, 3)
    const found = await summariesOf(fixture).newest({}, 4, VERSION)
    equal(keysIn(found), stored.map(({ key }) => key).sort(), "all of them")
    equal(found?.leftOut, undefined, "the time of those that were left out")
  },

  "finds the sessions of the filter": async (fixture) => {
    const { storage, place, session } = fixture
    const [here, there] = [place("/home/user/here"), place("/home/user/there")]
    for (const somewhere of [here, there]) await session("{}\n", storage.keyFor(somewhere))
    const found = keysIn(await summariesOf(fixture).newest({ cwd: here.cwd }, 1, VERSION))
    ok(found.includes(storage.keyFor(here)), "the session of the folder is found")
    const listed = await fixture.listed(here.cwd)
    equal(listed.includes(storage.keyFor(there)), found.includes(storage.keyFor(there)), "whether another is found")
  },

  "finds a session that was never summarized": async (fixture) => {
    await summarized(fixture, 3)
    await findsUnread(fixture, (await fixture.session("one\n")).key)
  },

  "finds a session that another appended to, until it is summarized again": async (fixture) => {
    const [oldest] = await summarized(fixture, 3)
    ok(oldest !== undefined, "there is a session")
    const other = await fixture.lease(oldest.key)
    const stat = await other.append(bytes("two\n"), oldest.stat)
    await findsUnread(fixture, oldest.key)
    await other.release()
    const summaries = summariesOf(fixture)
    summaries.put(oldest.key, stat, stateOf(1))
    await summaries.flush()
    if (fixture.storage.leaseAndAppend) {
      const grown = await fixture.leaseAndAppend(oldest.key, "three\n", stat)
      await findsUnread(fixture, oldest.key)
      summaries.put(oldest.key, grown, stateOf(1))
      await summaries.flush()
    }
    ok(!keysIn(await summaries.newest({}, 1, VERSION)).includes(oldest.key), "it is one of the oldest again")
  },

  "finds a session whose summary was read before another appended, and saved after": async (fixture) => {
    const [oldest] = await summarized(fixture, 3)
    ok(oldest !== undefined, "there is a session")
    const stat = await (await fixture.lease(oldest.key)).append(bytes("two\n"), oldest.stat)
    const summaries = summariesOf(fixture)
    summaries.put(oldest.key, oldest.stat, stateOf(1))
    await summaries.flush()
    await findsUnread(fixture, oldest.key)
    // What was read later counts, although what was read before is saved after it.
    for (const [state, time] of [
      [stat, 9],
      [oldest.stat, 1],
    ] as const) {
      summaries.put(oldest.key, state, stateOf(time))
      await summaries.flush()
    }
    const found = await summaries.newest({}, 1, VERSION)
    equal(keysIn(found), [oldest.key], "the newest")
    equal(found?.sessions[0]?.cached?.state.modified, 9, "its time")
  },

  "finds a session that was replaced or moved": async (fixture) => {
    const [first, second] = await summarized(fixture, 4)
    ok(first !== undefined && second !== undefined, "there are two sessions")
    await (await fixture.lease(first.key)).replace([bytes("new\n")], { expected: first.stat })
    await findsUnread(fixture, first.key)
    const [lease, to] = [await fixture.lease(second.key), fixture.newKey()]
    await lease.move(to)
    await findsUnread(fixture, to)
    ok(!keysIn(await summariesOf(fixture).newest({}, 9, VERSION)).includes(second.key), "not at its old key")
  },

  "finds no removed session, and no backup": async (fixture) => {
    const [first, second] = await summarized(fixture, 2)
    ok(first !== undefined && second !== undefined, "there are two sessions")
    await (await fixture.lease(first.key)).remove()
    const change = { expected: second.stat, keepAs: ".bak" }
    await (await fixture.lease(second.key)).replace([bytes("new\n")], change)
    equal(keysIn(await summariesOf(fixture).newest({}, 9, VERSION)), [second.key], "what is found")
  },

  "finds all sessions whose summaries have another version": async (fixture) => {
    for (const { key } of await summarized(fixture, 3)) {
      await findsUnread(fixture, key, VERSION + 1)
      await findsUnread(fixture, key, VERSION - 1)
    }
  },
})
