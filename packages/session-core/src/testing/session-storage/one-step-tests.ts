import { equal, failsWith } from "../assert.js"
import { type Tests, where } from "./fixture.js"
import { bytes } from "./samples.js"
import { staleTests } from "./write-tests.js"

/** Tests of `leaseAndAppend`. */
export const leaseAndAppendTests: Tests = where("leaseAndAppend", {
  "adds the bytes at the end, returns the new stat, and leaves the key free": async (fixture) => {
    const { storage, session, leaseAndAppend, lease, holds } = fixture
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const second = await leaseAndAppend(key, "two\n", stat)
    const third = await leaseAndAppend(key, "three\n", second)
    await holds(key, "one\ntwo\nthree\n")
    equal([second.size, third.size], [8, 14], "the sizes that it returns")
    equal(third.identity, stat.identity, "the identity that it returns")
    equal(third.identity, (await storage.stat(key))?.identity, "the identity that is stored")
    equal((await lease(key)).key, key, "the key of the next lease")
  },

  "finds a session busy that another holds, and changes nothing": async ({ session, leaseAndAppend, holds }) => {
    const { key, stat } = await session("one\n")
    for (const waitMs of [0, 20]) {
      const error = await failsWith("SessionBusyError", leaseAndAppend(key, "two\n", stat, waitMs), "an append")
      equal(error.data.key, key, "the key of the error")
    }
    await holds(key, "one\n")
  },

  "waits for the holder to release": async ({ session, leaseAndAppend, holds }) => {
    const { key, lease, stat } = await session("one\n")
    const waiting = leaseAndAppend(key, "two\n", stat, 10_000)
    await holds(key, "one\n")
    await lease.release()
    equal((await waiting).size, 8, "the size that it returns")
    await holds(key, "one\ntwo\n")
  },

  "goes from one to the next of many: one of those that expect the same succeeds": async (fixture) => {
    const { session, leaseAndAppend, stored } = fixture
    const { key, lease, stat } = await session("one\n")
    await lease.release()
    const attempts = ["a\n", "b\n", "c\n"].map((line) => leaseAndAppend(key, line, stat, 10_000))
    const outcomes = await Promise.allSettled(attempts)
    equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1, "the number of appends that succeed")
    for (const outcome of outcomes)
      if (outcome.status === "rejected") {
        const error = await failsWith("SessionChangedError", Promise.reject(outcome.reason), "a late append")
        equal(error.data.change, "grown", "the change")
      }
    equal((await stored(key))?.length, 6, "the stored size")
  },

  "keeps its own copy of the bytes": async ({ storage, session, holds }) => {
    const { key, lease, stat } = await session("one\n")
    await lease.release()
    const chunk = bytes("two\n")
    const appending = storage.leaseAndAppend?.(key, { access: "shared", waitMs: 0 }, chunk, stat)
    await appending
    chunk.fill(0)
    await holds(key, "one\ntwo\n")
  },

  "leaves the key free when it fails": async ({ session, leaseAndAppend, lease }) => {
    const { key, lease: first, stat } = await session("one\n")
    await first.release()
    const stale = { ...stat, size: stat.size - 1 }
    await failsWith("SessionChangedError", leaseAndAppend(key, "two\n", stale), "an append")
    equal((await lease(key)).key, key, "the key of the next lease")
  },

  ...staleTests(async ({ leaseAndAppend }, lease, expected) => {
    await lease.release()
    return leaseAndAppend(lease.key, "two\n", expected)
  }),
})
