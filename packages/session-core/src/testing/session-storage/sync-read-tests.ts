import type { SessionStorage, StoredRanges } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { equal, failsWith } from "../assert.js"
import { bytes } from "./bytes.js"
import { where } from "./fixture.js"

export const syncReadTests = where("syncReads", {
  "reads the range that was asked for, at once": async ({ storage, session }) => {
    const { key, stat } = await session("0123456789")
    const ranges = await opened(storage, key, stat)
    equal(new Uint8Array(ranges.read(3, 4)), bytes("3456"), "bytes from the middle")
    equal(new Uint8Array(ranges.read(7, 100)), bytes("789"), "a range over the end")
    equal(new Uint8Array(ranges.read(1000, 5)), bytes(""), "a range behind the end")
    ranges.close()
  },

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

  "reads also after it was closed": async ({ storage, session }) => {
    const { key, stat } = await session("0123")
    const ranges = await opened(storage, key, stat)
    ranges.close()
    equal(new Uint8Array(ranges.read(1, 2)), bytes("12"), "a range after the close")
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
  if (!ranges) throw new Error("supports.syncReads is true, but there is no openRanges.")
  return ranges
}
