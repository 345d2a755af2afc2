import type { OpenFile, SyncFile } from "@treelog-internal/fs"
import { readWhole, readWholeSync, writeWhole } from "@treelog-internal/fs"
import { describe, expect, it } from "vitest"

const SIZE = 5 * 2 ** 30 + 7
const SYSTEM_LIMIT = 2 ** 31 - 1
/** What is asked of it at most. */
const MAX_IO_BYTES = 2 ** 30

/** Stands for so many bytes, of which none is touched. */
const huge = { length: SIZE } as Uint8Array

/** A system that refuses what Node refuses, and keeps where it was asked to read or write. */
function refusing() {
  const calls: { offset: number; length: number; position: number | null }[] = []
  const take = (offset: number, length: number, position: number | null): number => {
    if (length > SYSTEM_LIMIT) throw new RangeError(`${length} bytes at once`)
    calls.push({ offset, length, position })
    return length
  }
  const file = {
    read: async (_: Uint8Array, offset: number, length: number, position: number) => ({
      bytesRead: take(offset, length, position),
    }),
    write: async (_: Uint8Array, offset: number, length: number, position: number | null) => ({
      bytesWritten: take(offset, length, position),
    }),
    readSync: (_: Uint8Array, offset: number, length: number, position: number) => take(offset, length, position),
  } as unknown as OpenFile & SyncFile
  return { file, calls }
}

describe("more than the system takes at once is split", () => {
  it.each([
    ["written", 0, (file: OpenFile) => writeWhole(file, huge, 0)],
    ["written behind something", 3, (file: OpenFile) => writeWhole(file, huge, 3)],
    ["appended", null, (file: OpenFile) => writeWhole(file, huge, null)],
    ["read", 3, (file: OpenFile) => readWhole(file, huge, 3)],
    ["read without promises", 3, (file: OpenFile & SyncFile) => readWholeSync(file, huge, 3)],
  ] as const)("when it is %s", async (_, start, action) => {
    const { file, calls } = refusing()
    await action(file)
    expect(calls.map(({ length }) => length)).toEqual([...Array<number>(5).fill(MAX_IO_BYTES), 7])
    for (const [index, { offset, position }] of calls.entries()) {
      expect(offset).toBe(index * MAX_IO_BYTES)
      expect(position).toBe(start === null ? null : start + offset)
    }
  })
})

describe("faults", () => {
  it("an interrupted call is made again, and another fault is not", async () => {
    const faults = ["EINTR", "EINTR", "EIO"]
    const fail = () => {
      const code = faults.shift()
      if (code !== undefined) throw Object.assign(new Error(code), { code })
      return 1
    }
    const file = {
      read: async () => ({ bytesRead: fail() }),
      write: async () => ({ bytesWritten: fail() }),
      readSync: fail,
    } as unknown as OpenFile & SyncFile
    const one = new Uint8Array(1)
    await expect(writeWhole(file, one, null)).rejects.toMatchObject({ code: "EIO" })
    faults.push("EINTR")
    expect(await readWhole(file, one, 0)).toBe(1)
    faults.push("EINTR")
    expect(readWholeSync(file, one, 0)).toBe(1)
  })

  it("a system that takes no byte is an error, and one that has no more ends a read", async () => {
    const file = {
      read: async () => ({ bytesRead: 0 }),
      write: async () => ({ bytesWritten: 0 }),
    } as unknown as OpenFile
    await expect(writeWhole(file, new Uint8Array(1), 0)).rejects.toMatchObject({ code: "EIO" })
    expect(await readWhole(file, new Uint8Array(1), 0)).toBe(0)
  })
})
