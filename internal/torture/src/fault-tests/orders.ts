import { tryOrders } from "@treelog-internal/test-kit/orders"
import type { FaultTest } from "../fault-test.js"

/**
 * Two or three programs use a session at the same time, and a scheduler decides when each call of a storage, a blob store or a
 * summarizer begins, and when its answer arrives.
 */
export const orders: FaultTest = {
  name: "orders",
  promise:
    "Random programs of several actors lose nothing, double nothing and end, in whatever order their calls settle.",
  counts: { short: 60, long: 20_000 },
  async run({ count, seed, progress, findings }) {
    const broken = await tryOrders({ count, seed, progress })
    if (broken !== undefined) findings.broken.push(broken)
  },
}
