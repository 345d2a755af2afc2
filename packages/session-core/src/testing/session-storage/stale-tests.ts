import type { Lease } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { equal, failsWith } from "../assert.js"
import { bytes } from "./bytes.js"
import type { Fixture, Tests } from "./fixture.js"

type Write<Result> = (lease: Lease, stat: StorageStat) => Promise<Result>

/** Ways in which a session can differ from the state that a writer expects; each may return the wrong expected state. */
const STALE: Record<string, Write<StorageStat | undefined>> = {
  grown: async (lease, stat) => void (await lease.append(bytes("more\n"), stat)),
  shrunk: async (_, stat) => ({ ...stat, size: stat.size + 1 }),
  replaced: async (lease, stat) => void (await lease.replace([bytes("ONE\n")], { expected: stat })),
  gone: async (lease) => void (await lease.remove()),
}

/** The tests of every write that takes an expected state. */
export function staleTests(write: Write<unknown>): Tests {
  const testOf = (change: string, makeStale: Write<StorageStat | undefined>) => async (fixture: Fixture) => {
    const { session, stored, listed } = fixture
    const { key, lease, stat } = await session("one\n")
    const expected = (await makeStale(lease, stat)) ?? stat
    const [before, names] = [await stored(key), await listed()]
    const error = await failsWith("SessionChangedError", write(lease, expected), "writing")
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
