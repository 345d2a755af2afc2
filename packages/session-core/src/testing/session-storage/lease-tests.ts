import type { StorageStat } from "../../ports/session-source.js"
import type { Lease } from "../../ports/session-storage.js"
import { equal, failsWith, ok } from "../assert.js"
import { type Fixture, type Tests, where } from "./fixture.js"
import { bytes } from "./samples.js"

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

const METHODS: { [name: string]: (lease: Lease, stat: StorageStat, free: string) => Promise<unknown> } = {
  create: (lease) => lease.create([bytes("new\n")]),
  append: (lease, stat) => lease.append(bytes("more\n"), stat),
  sync: (lease) => lease.sync(),
  replace: (lease, stat) => lease.replace([bytes("new\n")], { expected: stat, keepAs: ".bak" }),
  move: (lease, _, free) => lease.move(free),
  remove: (lease) => lease.remove(),
}

export const releasedTests: Tests = {
  ...Object.fromEntries(
    Object.entries(METHODS).map(([name, call]) => [
      `refuses to ${name}, and changes nothing`,
      async ({ session, newKey, holds, holdsNothing, listed }: Fixture) => {
        const { key, lease, stat } = await session("old\n")
        const free = newKey()
        await lease.release()
        await failsWith("StorageError", call(lease, stat, free), `${name} after release`)
        await holds(key, "old\n")
        await holdsNothing(free)
        equal(await listed(), [key], "the listing")
      },
    ]),
  ),

  "refuses to create where nothing is stored": async ({ lease, holdsNothing }) => {
    const writer = await lease()
    await writer.release()
    await failsWith("StorageError", writer.create([bytes("new\n")]), "create after release")
    await holdsNothing(writer.key)
  },
}

export const lostLeaseTests: Tests = where("leasesExpire", {
  ...Object.fromEntries(
    Object.entries(METHODS).flatMap(([name, call]) => [
      [
        `refuses to ${name} when it lapsed, and changes nothing`,
        async ({ session, newKey, lapse, holds, holdsNothing, listed }: Fixture) => {
          const { key, lease, stat } = await session("old\n")
          const free = newKey()
          await lapse(key)
          const { data } = await failsWith("LeaseLostError", call(lease, stat, free), `${name} after the lease lapsed`)
          equal(data, { key, operation: name }, "the data of the error")
          await holds(key, "old\n")
          await holdsNothing(free)
          equal(await listed(), [key], "the listing")
        },
      ],
      [
        `refuses to ${name} when another took it, and changes nothing`,
        async ({ session, newKey, lapse, lease, holds, holdsNothing, listed }: Fixture) => {
          const { key, lease: lost, stat } = await session("old\n")
          const free = newKey()
          await lapse(key)
          const next = await lease(key)
          await failsWith("LeaseLostError", call(lost, stat, free), `${name} after another took the lease`)
          await next.append(bytes("next\n"), stat)
          await failsWith("LeaseLostError", call(lost, stat, free), `${name} after another wrote`)
          await holds(key, "old\nnext\n")
          await holdsNothing(free)
          equal(await listed(), [key], "the listing")
        },
      ],
    ]),
  ),

  "refuses to create where nothing is stored": async ({ lease, lapse, holdsNothing }) => {
    const lost = await lease()
    await lapse(lost.key)
    await failsWith("LeaseLostError", lost.create([bytes("new\n")]), "create after the lease lapsed")
    await holdsNothing(lost.key)
  },

  "does nothing when it is released": async ({ session, lapse, lease, tryLease, holds }) => {
    const { key, lease: lost, stat } = await session("old\n")
    await lapse(key)
    const next = await lease(key)
    await lost.release()
    await failsWith("SessionBusyError", tryLease(key), "a third lease")
    await next.append(bytes("next\n"), stat)
    await holds(key, "old\nnext\n")
  },

  "leaves the key free when it is released untaken": async ({ session, lapse, lease }) => {
    const { key, lease: lost } = await session("old\n")
    await lapse(key)
    await lost.release()
    equal((await lease(key)).key, key, "the key of the next lease")
  },

  "stays lost when the next holder has released the key": async ({ session, lapse, lease, holds }) => {
    const { key, lease: lost, stat } = await session("old\n")
    await lapse(key)
    await (await lease(key)).release()
    await failsWith("LeaseLostError", lost.append(bytes("late\n"), stat), "a late append")
    await holds(key, "old\n")
  },
})
