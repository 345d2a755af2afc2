import { equal, ok } from "../assert.js"
import { bytes } from "./bytes.js"
import type { Tests } from "./fixture.js"

export const quarantineTests: Tests = {
  "keeps the bytes under the key with the suffix, unlisted": async ({ session, holds, holdsNothing, listed }) => {
    const { key, lease } = await session("broken\n")
    equal(await lease.quarantine(".corrupt-1"), `${key}.corrupt-1`, "the name of the quarantined object")
    await holds(`${key}.corrupt-1`, "broken\n")
    await holdsNothing(key)
    equal(await listed(), [], "the listing")
  },

  "leaves the key to a new session": async ({ session, holds, listed }) => {
    const { key, lease } = await session("broken\n")
    const aside = await lease.quarantine(".corrupt-1")
    await lease.create([bytes("fresh\n")])
    await holds(key, "fresh\n")
    await holds(aside, "broken\n")
    equal(await listed(), [key], "the listing")
  },

  "never overwrites an earlier quarantined object": async ({ session, holds }) => {
    const { key, lease } = await session("first\n")
    const first = await lease.quarantine(".corrupt")
    await lease.create([bytes("second\n")])
    const second = await lease.quarantine(".corrupt")
    ok(second !== first && second.startsWith(`${key}.corrupt`), `${second} is another name with the suffix`)
    await holds(first, "first\n")
    await holds(second, "second\n")
  },
}
