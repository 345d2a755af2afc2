import { joinBytes } from "../../log/bytes.js"
import type { StorageStat } from "../../ports/session-source.js"
import type { Lease } from "../../ports/session-storage.js"
import { equal, failsWith, ok, sharingSlices } from "../assert.js"
import type { Fixture, Tests } from "./fixture.js"
import { bytes, failingChunks, failsWithSource, largeChunks, laterChunks } from "./samples.js"

type Write<Result> = (lease: Lease, stat: StorageStat) => Promise<Result>

/** Ways in which a session can differ from the state that a writer expects; each may return the wrong expected state. */
const STALE: Record<string, Write<StorageStat | undefined>> = {
  grown: async (lease, stat) => void (await lease.append(bytes("more\n"), stat)),
  shrunk: async (_, stat) => ({ ...stat, size: stat.size + 1 }),
  replaced: async (lease, stat) => void (await lease.replace([bytes("ONE\n")], { expected: stat })),
  gone: async (lease) => void (await lease.remove()),
}

/** The tests of every write that takes an expected state. */
export function staleTests(
  write: (fixture: Fixture, lease: Lease, expected: StorageStat) => Promise<unknown>,
): Readonly<Record<string, (fixture: Fixture) => Promise<void>>> {
  const testOf = (change: string, makeStale: Write<StorageStat | undefined>) => async (fixture: Fixture) => {
    const { session, stored, listed } = fixture
    const { key, lease, stat } = await session("one\n")
    const expected = (await makeStale(lease, stat)) ?? stat
    const [before, names] = [await stored(key), await listed()]
    const error = await failsWith("SessionChangedError", write(fixture, lease, expected), "writing")
    equal(error.data, { key, change }, "the data of the error")
    equal(await stored(key), before, "what is stored")
    equal(await listed(), names, "the listing")
  }
  return Object.fromEntries(
    Object.entries(STALE).map(([change, makeStale]) => [
      `fails when the stored session is ${change}, and changes nothing`,
      testOf(change, makeStale),
    ]),
  )
}

export const createTests: Tests = {
  "stores the chunks, one after the other, and returns their stat": async ({ storage, lease, holds }) => {
    const writer = await lease()
    const before = Date.now()
    const stat = await writer.create([bytes("one\n"), bytes(""), bytes("two\n")])
    await holds(writer.key, "one\ntwo\n")
    equal(stat.size, 8, "the size that create returns")
    equal(stat.identity, (await storage.stat(writer.key))?.identity, "the identity that create returns")
    ok(Math.abs(stat.modified - before) < 3_600_000, "`modified` is the time in milliseconds, give or take an hour")
  },

  "takes chunks that come later": async ({ lease, holds }) => {
    const writer = await lease()
    await writer.create(laterChunks("one\n", "", "two\n"))
    await holds(writer.key, "one\ntwo\n")
  },

  "stores a session of many chunks and several megabytes": async ({ lease, holds }) => {
    const writer = await lease()
    const chunks = largeChunks()
    await writer.create(chunks)
    await holds(writer.key, joinBytes(chunks))
  },

  "stores an empty session": async ({ lease, holds, listed }) => {
    const writer = await lease()
    equal((await writer.create([])).size, 0, "the size")
    await holds(writer.key, "")
    equal(await listed(), [writer.key], "the listing")
  },

  "keeps its own copy of the bytes": async ({ lease, holds }) => {
    const writer = await lease()
    const chunk = sharingSlices(bytes("mine\n"))
    await writer.create([chunk])
    chunk.fill(0)
    await holds(writer.key, "mine\n")
  },

  "never overwrites a session": async ({ session, holds }) => {
    const { key, lease } = await session("first\n")
    const error = await failsWith("SessionExistsError", lease.create([bytes("second\n")]), "a second create")
    equal(error.data.key, key, "the key of the error")
    await holds(key, "first\n")
  },

  "leaves nothing behind when the source of the chunks fails": async ({ lease, holds, holdsNothing, listed }) => {
    const writer = await lease()
    await failsWithSource(writer.create(failingChunks()), "a create whose chunks fail")
    await holdsNothing(writer.key)
    equal(await listed(), [], "the listing")
    await writer.create([bytes("again\n")])
    await holds(writer.key, "again\n")
  },
}

export const appendTests: Tests = {
  "adds the bytes at the end and returns the new stat": async ({ storage, session, holds }) => {
    const { key, lease, stat } = await session("one\n")
    const second = await lease.append(bytes("two\n"), stat)
    const third = await lease.append(bytes("three\n"), second)
    await holds(key, "one\ntwo\nthree\n")
    equal([second.size, third.size], [8, 14], "the sizes that append returns")
    equal(third.identity, (await storage.stat(key))?.identity, "the identity that append returns")
    equal(third.identity, stat.identity, "the identity after an append")
  },

  "adds to a session that an earlier lease wrote": async ({ session, lease, holds }) => {
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const second = await lease(key)
    await second.append(bytes("two\n"), stat)
    await holds(key, "one\ntwo\n")
  },

  "takes no bytes at all": async ({ session, holds }) => {
    const { key, lease, stat } = await session("one\n")
    equal((await lease.append(bytes(""), stat)).size, 4, "the size")
    await holds(key, "one\n")
  },

  "takes several megabytes": async ({ session, holds }) => {
    const { key, lease, stat } = await session("")
    const large = joinBytes(largeChunks())
    await lease.append(large, stat)
    await holds(key, large)
  },

  "keeps its own copy of the bytes": async ({ session, holds }) => {
    const { key, lease, stat } = await session("one\n")
    const chunk = sharingSlices(bytes("two\n"))
    await lease.append(chunk, stat)
    chunk.fill(0)
    await holds(key, "one\ntwo\n")
  },

  ...staleTests((_, lease, expected) => lease.append(bytes("two\n"), expected)),
}

export const replaceTests: Tests = {
  "puts the chunks in the place of the old bytes, under a new identity": async ({ storage, session, holds }) => {
    const { key, lease, stat } = await session("old and long\n")
    const replaced = await lease.replace(laterChunks("new", "\n"), { expected: stat })
    await holds(key, "new\n")
    equal(replaced.kept, undefined, "what is kept without `keepAs`")
    equal(replaced.stat.size, 4, "the size that replace returns")
    equal(replaced.stat.identity, (await storage.stat(key))?.identity, "the identity that replace returns")
    ok(replaced.stat.identity !== stat.identity, "the identity is another")
  },

  "gives an identity that no earlier object of the key had": async ({ session }) => {
    const { lease, stat } = await session("0\n")
    const identities = [stat.identity]
    let expected = stat
    for (let round = 1; round <= 5; round++) {
      expected = (await lease.replace([bytes(`${round}\n`)], { expected })).stat
      identities.push(expected.identity)
    }
    equal(new Set(identities).size, identities.length, "the number of identities")
  },

  "takes many chunks and several megabytes": async ({ session, holds }) => {
    const { key, lease, stat } = await session("old\n")
    const chunks = largeChunks()
    await lease.replace(chunks, { expected: stat })
    await holds(key, joinBytes(chunks))
  },

  "can be appended to": async ({ session, holds }) => {
    const { key, lease, stat } = await session("old\n")
    const replaced = await lease.replace([bytes("new\n")], { expected: stat })
    await lease.append(bytes("more\n"), replaced.stat)
    await holds(key, "new\nmore\n")
  },

  "keeps the old bytes under the key with the suffix, unlisted": async ({ session, holds, listed }) => {
    const { key, lease, stat } = await session("old\n")
    const { kept } = await lease.replace([bytes("new\n")], { expected: stat, keepAs: ".v1.bak" })
    equal(kept, `${key}.v1.bak`, "the name of what is kept")
    await holds(`${key}.v1.bak`, "old\n")
    await holds(key, "new\n")
    equal(await listed(), [key], "the listing")
  },

  "keeps under another name where the suffix is taken": async ({ session, stored, holds, listed }) => {
    const { key, lease, stat } = await session("0\n")
    const names: string[] = []
    let expected = stat
    for (let round = 1; round <= 3; round++) {
      const { kept, stat } = await lease.replace([bytes(`${round}\n`)], { expected, keepAs: ".bak" })
      names.push(kept ?? "nothing")
      expected = stat
    }
    equal(new Set(names).size, 3, "the number of names")
    ok(
      names.every((name) => name.startsWith(`${key}.bak`)),
      `each of ${names} is the key with the suffix`,
    )
    const kept = await Promise.all(names.map((name) => stored(name)))
    equal(kept, [bytes("0\n"), bytes("1\n"), bytes("2\n")], "what is kept")
    await holds(key, "3\n")
    equal(await listed(), [key], "the listing")
  },

  "leaves the session as it was when the source of the chunks fails": async ({ session, storage, holds, listed }) => {
    const { key, lease, stat } = await session("old\n")
    const replacing = lease.replace(failingChunks(), { expected: stat, keepAs: ".bak" })
    await failsWithSource(replacing, "a replace whose chunks fail")
    await holds(key, "old\n")
    equal((await storage.stat(key))?.identity, stat.identity, "the identity")
    equal(await storage.stat(`${key}.bak`), undefined, "the stat of the kept bytes")
    equal(await listed(), [key], "the listing")
  },

  ...staleTests((_, lease, expected) => lease.replace([bytes("new\n")], { expected })),
}
