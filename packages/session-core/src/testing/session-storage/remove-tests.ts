import { equal, failsWith, ok } from "../assert.js"
import { bytes } from "./bytes.js"
import type { Tests } from "./fixture.js"

export const removeTests: Tests = {
  "removes the session, and no other": async ({ storage, session, holds, holdsNothing, listed }) => {
    const other = await session("other\n")
    const { key, lease } = await session("mine\n")
    await lease.remove()
    await holdsNothing(key)
    await failsWith("SessionNotFoundError", storage.readRange(key, 0, 1), "reading a removed session")
    await holds(other.key, "other\n")
    equal(await listed(), [other.key], "the listing")
  },

  "resolves when there is nothing": async ({ lease, holdsNothing }) => {
    const writer = await lease()
    await writer.remove()
    await writer.remove()
    await holdsNothing(writer.key)
  },

  "keeps the lease, for a new session of another identity": async ({ session, tryLease, holds }) => {
    const { key, lease, stat } = await session("first\n")
    await lease.remove()
    const fresh = await lease.create([bytes("again\n")])
    await holds(key, "again\n")
    ok(fresh.identity !== stat.identity, "the identity is another")
    await failsWith("SessionBusyError", tryLease(key), "a second lease")
  },
}
