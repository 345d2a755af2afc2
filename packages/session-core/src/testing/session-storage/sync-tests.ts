import type { LeaseOptions, SessionStorage, SyncSessionStorage } from "../../ports/session-storage.js"
import { isSyncStorage } from "../../ports/sync-storage.js"
import { equal, failsWith, ok } from "../assert.js"
import { type Tests, where } from "./fixture.js"
import { bytes } from "./samples.js"

const AT_ONCE: LeaseOptions = { access: "exclusive", waitMs: 0 }
const SHARED: LeaseOptions = { access: "shared", waitMs: 0 }

/** The methods without promises. The tests apply only where the storage has them. */
function syncOf(storage: SessionStorage): Pick<SyncSessionStorage, "statSync" | "openRangesSync" | "leaseSync"> {
  ok(isSyncStorage(storage), "it has `leaseSync`, as the example has")
  return {
    statSync: (key) => storage.statSync(key),
    openRangesSync: (key, identity) => storage.openRangesSync(key, identity),
    leaseSync: (key, options) => storage.leaseSync(key, options),
  }
}

/** A call without promises as one with them, for the assertions. */
const called = async <T>(call: () => T): Promise<T> => call()

/** Tests of what works without promises. */
export const syncWriteTests: Tests = where("leaseSync", {
  "creates, appends and reads the same as with promises": async ({ storage, newKey, holds }) => {
    const { statSync, openRangesSync, leaseSync } = syncOf(storage)
    const key = newKey()
    equal(statSync(key), undefined, "the stat of what is not there")
    const lease = leaseSync(key, AT_ONCE)
    const first = lease.createSync([bytes("one\n"), bytes("two\n")])
    const second = lease.appendSync(bytes("three\n"), first)
    equal([first.size, second.size, second.identity], [8, 14, first.identity], "what create and append return")
    await holds(key, "one\ntwo\nthree\n")
    equal(statSync(key)?.identity, (await storage.stat(key))?.identity, "the identity")
    const ranges = openRangesSync(key, first.identity)
    equal(ranges.read(4, 100), bytes("two\nthree\n"), "a range")
    ranges.close()
    lease.syncSync()
    lease.syncSync({ all: second })
    lease.releaseSync()
  },

  "never overwrites a session, and appends to none but the one that is expected": async (fixture) => {
    const { storage, session, holds } = fixture
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const lease = syncOf(storage).leaseSync(key, AT_ONCE)
    await failsWith(
      "SessionExistsError",
      called(() => lease.createSync([bytes("x")])),
      "a create",
    )
    const grown = lease.appendSync(bytes("two\n"), stat)
    const error = await failsWith(
      "SessionChangedError",
      called(() => lease.appendSync(bytes("x\n"), stat)),
      "an append",
    )
    equal(error.data.change, "grown", "the change")
    await holds(key, "one\ntwo\n")
    await lease.remove()
    await failsWith(
      "SessionChangedError",
      called(() => lease.appendSync(bytes("x\n"), grown)),
      "an append to nothing",
    )
    lease.releaseSync()
  },

  "replaces the bytes, and keeps the old ones": async ({ storage, session, holds }) => {
    const { key, lease: first, stat } = await session("old\n")
    await first.release()
    const lease = syncOf(storage).leaseSync(key, AT_ONCE)
    const { stat: replaced, kept } = lease.replaceSync([bytes("new\n")], { expected: stat, keepAs: ".bak" })
    ok(replaced.identity !== stat.identity, "the identity is another one")
    await holds(key, "new\n")
    ok(kept !== undefined, "the name of the old bytes is returned")
    equal((await storage.stat(kept))?.size, 4, "the size of what is kept")
    lease.releaseSync()
  },

  "excludes others as a lease that was taken with promises, and is excluded by them": async (fixture) => {
    const { storage, newKey, lease, tryLease } = fixture
    const { leaseSync } = syncOf(storage)
    const key = newKey()
    const held = leaseSync(key, AT_ONCE)
    await failsWith("SessionBusyError", tryLease(key), "a lease with promises")
    await failsWith(
      "SessionBusyError",
      called(() => leaseSync(key, AT_ONCE)),
      "a second one without",
    )
    held.releaseSync()
    const next = await lease(key)
    await failsWith(
      "SessionBusyError",
      called(() => leaseSync(key, AT_ONCE)),
      "one without promises",
    )
    await next.release()
  },

  "is free for others in the process as soon as it is released": async ({ storage, newKey, tryLease }) => {
    const { leaseSync } = syncOf(storage)
    const key = newKey()
    for (const options of [AT_ONCE, SHARED]) {
      leaseSync(key, options).releaseSync()
      await (await tryLease(key)).release()
    }
  },

  "asks for a lease that is kept until it is wanted, and excludes others until it is released": async (fixture) => {
    const { storage, session, holds, tryLease } = fixture
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const { leaseSync } = syncOf(storage)
    const lease = leaseSync(key, SHARED)
    let isInUse = true
    let asked = 0
    const giveUp = (): void => {
      asked++
      if (!isInUse) lease.releaseSync()
    }
    const isKept = lease.keepUntilWanted?.(giveUp) ?? false
    const second = lease.appendSync(bytes("two\n"), stat)
    if (isKept) {
      await failsWith(
        "SessionBusyError",
        called(() => leaseSync(key, SHARED)),
        "a lease while the first one is in use",
      )
      ok(asked > 0, "the holder is asked for it")
      isInUse = false
    } else lease.releaseSync()
    const other = await tryLease(key)
    await failsWith(
      "StorageError",
      called(() => lease.appendSync(bytes("x\n"), second)),
      "an append after the release",
    )
    await other.append(bytes("three\n"), second)
    await other.release()
    await holds(key, "one\ntwo\nthree\n")
  },

  "writes and syncs beside calls with promises of the same lease": async ({ storage, session, holds }) => {
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const lease = syncOf(storage).leaseSync(key, AT_ONCE)
    const second = lease.appendSync(bytes("two\n"), stat)
    const third = await lease.append(bytes("three\n"), second)
    const syncing = lease.sync()
    lease.appendSync(bytes("four\n"), third)
    await syncing
    await lease.sync()
    lease.syncSync()
    await holds(key, "one\ntwo\nthree\nfour\n")
    await lease.release()
  },

  "stores what one of two appends brings that expect the same, one with a promise": async (fixture) => {
    const { storage, session, stored } = fixture
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const lease = syncOf(storage).leaseSync(key, AT_ONCE)
    const promised = called(() => lease.append(bytes("later\n"), stat))
    const outcomes = await Promise.allSettled([promised, called(() => lease.appendSync(bytes("now\n"), stat))])
    const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
      (await stored(key)) ?? new Uint8Array(),
    )
    const done = outcomes.map(({ status }) => status === "fulfilled")
    equal(text, `one\n${done[0] ? "later\n" : ""}${done[1] ? "now\n" : ""}`, "what is stored")
    ok(done[0] !== done[1], "exactly one of them is stored")
    await lease.release()
  },
})
