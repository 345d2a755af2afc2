import type { Lease } from "../../ports/session-storage.js"
import { equal, failsWith, ok } from "../assert.js"
import type { ContractTests } from "./contract-tests.js"

export function leaseTests(contract: ContractTests): void {
  contract.describe("lease", () => {
    contract.test("holds the key that was asked for, and stores nothing", async ({ newKey, lease, holdsNothing }) => {
      const key = newKey()
      equal((await lease(key)).key, key, "the key of the lease")
      await holdsNothing(key)
    })

    for (const first of ["exclusive", "shared"] as const) {
      for (const second of ["exclusive", "shared"] as const) {
        contract.test(
          `${first} is held by one at a time: ${second} finds it busy`,
          async ({ storage, newKey, lease }) => {
            const key = newKey()
            await lease(key, { access: first })
            const taking = storage.lease(key, { access: second, waitMs: 0 })
            const { data } = await failsWith("SessionBusyError", taking, "a second lease")
            equal(data.key, key, "the key of the error")
            ok(Number.isInteger(data.pid), `the pid is a whole number, not ${data.pid}`)
            ok(data.host !== "", "the host is named")
            ok(Math.abs(Date.parse(data.since) - Date.now()) < 3_600_000, `${data.since} is about now, as ISO 8601`)
          },
        )
      }
    }

    contract.test("of one key leaves the others free", async ({ lease }) => {
      const [one, two] = [await lease(), await lease()]
      ok(one.key !== two.key, "two leases hold two keys")
    })

    contract.test("can be taken again after a release", async ({ newKey, lease }) => {
      const key = newKey()
      await (await lease(key)).release()
      await (await lease(key, { access: "shared" })).release()
      equal((await lease(key)).key, key, "the key of the third lease")
    })

    contract.test("waits for the holder to release", async ({ newKey, lease }) => {
      const key = newKey()
      const first = await lease(key)
      const order: string[] = []
      const waiting = lease(key, { waitMs: 10_000 }).then(() => order.push("taken"))
      order.push("releasing")
      await first.release()
      await waiting
      equal(order, ["releasing", "taken"], "the order of events")
    })

    contract.test("finds the session busy when the wait is over", async ({ storage, newKey, lease }) => {
      const key = newKey()
      await lease(key)
      const taking = storage.lease(key, { access: "exclusive", waitMs: 20 })
      const error = await failsWith("SessionBusyError", taking, "a lease that waits for 20 ms")
      equal(error.data.key, key, "the key of the error")
    })

    contract.test("goes from one to the next of many, never to two at once", async ({ newKey, lease }) => {
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
    })

    contract.test("released twice does not take it from its next holder", async ({ storage, newKey, lease }) => {
      const key = newKey()
      const first: Lease = await lease(key)
      await first.release()
      await lease(key)
      await Promise.allSettled([first.release()])
      await failsWith("SessionBusyError", storage.lease(key, { access: "exclusive", waitMs: 0 }), "a third lease")
    })

    contract.test("syncs what was written, and also when nothing was", async ({ lease, session }) => {
      await (await lease()).sync()
      await (await session("{}\n")).lease.sync()
    })
  })
}
