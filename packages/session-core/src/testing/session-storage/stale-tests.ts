import type { Lease } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { equal, failsWith } from "../assert.js"
import { bytes } from "./bytes.js"
import type { ContractTests } from "./contract-tests.js"

/** Ways in which a session can differ from the state that a writer expects; each returns the wrong expected state. */
const STALE = [
  {
    change: "grown",
    expect: async (lease: Lease, stat: StorageStat) => {
      await lease.append(bytes("more\n"), stat)
      return stat
    },
  },
  { change: "shrunk", expect: async (_: Lease, stat: StorageStat) => ({ ...stat, size: stat.size + 1 }) },
  {
    change: "replaced",
    expect: async (lease: Lease, stat: StorageStat) => {
      await lease.replace([bytes("ONE\n")], { expected: stat })
      return stat
    },
  },
  {
    change: "gone",
    expect: async (lease: Lease, stat: StorageStat) => {
      await lease.remove()
      return stat
    },
  },
]

/** The tests of every write that takes an expected state. */
export function staleTests(
  contract: ContractTests,
  write: (lease: Lease, expected: StorageStat) => Promise<unknown>,
): void {
  for (const { change, expect } of STALE) {
    contract.test(
      `fails when the stored session is ${change}, and changes nothing`,
      async ({ session, stored, listed }) => {
        const { key, lease, stat } = await session("one\n")
        const expected = await expect(lease, stat)
        const [before, names] = [await stored(key), await listed()]
        const error = await failsWith("SessionChangedError", write(lease, expected), "writing")
        equal(error.data, { key, change }, "the data of the error")
        equal(await stored(key), before, "what is stored")
        equal(await listed(), names, "the listing")
      },
    )
  }
}
