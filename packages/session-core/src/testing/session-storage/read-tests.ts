import { isTreelogError } from "../../errors.js"
import type { StorageStat, StoredRanges } from "../../ports/session-source.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import { equal, failsWith, failure, ok } from "../assert.js"
import { type Tests, where } from "./fixture.js"
import { bytes } from "./samples.js"

export const readTests: Tests = {
  "fails where nothing is stored": async ({ storage, newKey, session }) => {
    await failsWith("SessionNotFoundError", storage.readRange(newKey(), 0, 1), "reading a key that holds nothing")
    const { key: gone, lease, stat } = await session("gone")
    await lease.remove()
    const error = await failure(storage.readRange(gone, 0, 1, stat.identity), "reading a removed session")
    const changedToGone = isTreelogError(error, "SessionChangedError") && error.data.change === "gone"
    ok(changedToGone || isTreelogError(error, "SessionNotFoundError"), "a removed session is not found, or gone")
  },

  "gives bytes that are the caller's to change": async ({ storage, session, holds }) => {
    const { key } = await session("0123")
    const read = await storage.readRange(key, 0, 4)
    read.fill(0)
    await holds(key, "0123")
  },
}

export const syncReadTests = where("openRanges", {
  "shows what is appended": async ({ storage, session }) => {
    const { key, lease, stat } = await session("0123")
    const ranges = await opened(storage, key, stat)
    await lease.append(bytes("4567"), stat)
    equal(new Uint8Array(ranges.read(2, 4)), bytes("2345"), "a range of an appended session")
    ranges.close()
  },

  "keeps showing the object that was opened": async ({ storage, session }) => {
    const { key, lease, stat } = await session("old")
    const ranges = await opened(storage, key, stat)
    await lease.replace([bytes("new")], { expected: stat })
    equal(new Uint8Array(ranges.read(0, 3)), bytes("old"), "what was opened before the replacement")
    ranges.close()
  },

  "refuses another object than the one with the identity": async ({ storage, session }) => {
    const { key, lease, stat } = await session("old")
    await lease.replace([bytes("new")], { expected: stat })
    const error = await failsWith("SessionChangedError", opened(storage, key, stat), "opening with the old identity")
    equal(error.data, { key, change: "replaced" }, "the data of the error")
  },
})

async function opened(storage: SessionStorage, key: string, { identity }: StorageStat): Promise<StoredRanges> {
  const ranges = await storage.openRanges?.(key, identity)
  if (!ranges) throw new Error("There is no openRanges, as the example has.")
  return ranges
}
