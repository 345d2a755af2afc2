import type { Lease } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { equal, failsWith } from "../assert.js"
import { bytes } from "./bytes.js"
import type { Fixture, Tests } from "./fixture.js"

const METHODS: { [name: string]: (lease: Lease, stat: StorageStat, free: string) => Promise<unknown> } = {
  create: (lease) => lease.create([bytes("new\n")]),
  append: (lease, stat) => lease.append(bytes("more\n"), stat),
  sync: (lease) => lease.sync(),
  replace: (lease, stat) => lease.replace([bytes("new\n")], { expected: stat, keepAs: ".bak" }),
  move: (lease, _, free) => lease.move(free),
  quarantine: (lease) => lease.quarantine(".bak"),
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
