import { equal, failsWith, ok } from "../assert.js"
import type { Tests } from "./fixture.js"
import { bytes } from "./samples.js"

export const moveTests: Tests = {
  "renames the session": async ({ storage, session, place, holds, holdsNothing, listed }) => {
    const { key, lease } = await session("{}\n")
    const to = storage.keyFor(place(`${place().cwd}/elsewhere`))
    await lease.move(to)
    await holds(to, "{}\n")
    await holdsNothing(key)
    equal(await listed(), [to], "the listing")
  },

  "takes the lease along, and frees the old key": async ({ storage, session, newKey, lease, tryLease, holds }) => {
    const { key: from, lease: mover } = await session("one\n")
    const to = newKey()
    await mover.move(to)
    equal(mover.key, to, "the key of the lease")
    await failsWith("SessionBusyError", tryLease(to), "a second lease of the new key")
    const stat = await storage.stat(to)
    if (stat !== undefined) await mover.append(bytes("two\n"), stat)
    await holds(to, "one\ntwo\n")
    await (await lease(from)).create([bytes("another\n")])
    await mover.release()
    await lease(to)
  },

  "never overwrites a session": async ({ session, holds, newKey }) => {
    const other = await session("other\n")
    await other.lease.release()
    const { key, lease } = await session("mine\n")
    const error = await failsWith("SessionExistsError", lease.move(other.key), "a move onto a session")
    equal(error.data.key, other.key, "the key of the error")
    equal(lease.key, key, "the key of the lease")
    await holds(other.key, "other\n")
    await holds(key, "mine\n")
    await lease.move(newKey())
    await holds(lease.key, "mine\n")
  },

  "never takes a key that another holds": async ({ session, lease, holds, holdsNothing }) => {
    const holder = await lease()
    const { key, lease: mover } = await session("mine\n")
    await failsWith("SessionBusyError", mover.move(holder.key), "a move to a key that another holds")
    equal(mover.key, key, "the key of the lease")
    await holds(key, "mine\n")
    await holdsNothing(holder.key)
  },
}

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
