import { equal, failsWith, ok } from "../assert.js"
import type { Fixture, Tests } from "./fixture.js"

const ACCESS = ["exclusive", "shared"] as const

export const leaseTests: Tests = {
  "holds the key that was asked for, and stores nothing": async ({ newKey, lease, holdsNothing }) => {
    const key = newKey()
    equal((await lease(key)).key, key, "the key of the lease")
    await holdsNothing(key)
  },

  ...Object.fromEntries(
    ACCESS.flatMap((first) => ACCESS.map((second) => [first, second] as const)).map(([first, second]) => [
      `${first} is held by one at a time: ${second} finds it busy`,
      async ({ storage, newKey, lease }: Fixture) => {
        const key = newKey()
        await lease(key, { access: first })
        const taking = storage.lease(key, { access: second, waitMs: 0 })
        const { data } = await failsWith("SessionBusyError", taking, "a second lease")
        equal(data.key, key, "the key of the error")
        ok(Number.isInteger(data.pid), `the pid is a whole number, not ${data.pid}`)
        ok(data.host !== "", "the host is named")
        ok(Math.abs(Date.parse(data.since) - Date.now()) < 3_600_000, `${data.since} is about now, as ISO 8601`)
      },
    ]),
  ),

  "of one key leaves the others free": async ({ lease }) => {
    const [one, two] = [await lease(), await lease()]
    ok(one.key !== two.key, "two leases hold two keys")
  },

  "can be taken again after a release": async ({ newKey, lease }) => {
    const key = newKey()
    await (await lease(key)).release()
    await (await lease(key, { access: "shared" })).release()
    equal((await lease(key)).key, key, "the key of the third lease")
  },

  "waits for the holder to release": async ({ newKey, lease }) => {
    const key = newKey()
    const first = await lease(key)
    const order: string[] = []
    const waiting = lease(key, { waitMs: 10_000 }).then(() => order.push("taken"))
    order.push("releasing")
    await first.release()
    await waiting
    equal(order, ["releasing", "taken"], "the order of events")
  },

  "finds the session busy when the wait is over": async ({ storage, newKey, lease }) => {
    const key = newKey()
    await lease(key)
    const taking = storage.lease(key, { access: "exclusive", waitMs: 20 })
    const error = await failsWith("SessionBusyError", taking, "a lease that waits for 20 ms")
    equal(error.data.key, key, "the key of the error")
  },

  "goes from one to the next of many, never to two at once": async ({ newKey, lease }) => {
    const key = newKey()
    let holders = 0
    let most = 0
    const work = async () => {
      const mine = await lease(key, { waitMs: 10_000, access: "shared" })
      most = Math.max(most, ++holders)
      await mine.sync()
      holders--
      await mine.release()
    }
    await Promise.all([work(), work(), work(), work(), work()])
    equal(most, 1, "the most holders at once")
  },

  "released twice does not take it from its next holder": async ({ newKey, lease, tryLease }) => {
    const key = newKey()
    const first = await lease(key)
    await first.release()
    await lease(key)
    await Promise.allSettled([first.release()])
    await failsWith("SessionBusyError", tryLease(key), "a third lease")
  },

  "syncs what was written, and also when nothing was": async ({ lease, session }) => {
    await (await lease()).sync()
    await (await session("{}\n")).lease.sync()
  },
}
