import { MAX_IO_BYTES } from "@treelog/session-core/adapter"
import { expect, it } from "vitest"
import type { OpenFile } from "../src/fs-port.js"
import { readWhole, writeWhole } from "../src/whole-io.js"

/** Stands for so many bytes, of which none is touched. */
const huge = { length: 5 * 2 ** 30 + 7 } as Uint8Array

it("More than the system takes at once is split.", async () => {
  const calls: number[][] = []
  const take = async (_: Uint8Array, offset: number, length: number, position: number) => {
    if (length > 2 ** 31 - 1) throw new RangeError(`${length} bytes at once`)
    calls.push([offset, length, position])
    return { bytesRead: length, bytesWritten: length }
  }
  const file = { read: take, write: take } as unknown as OpenFile
  const expected = [0, 1, 2, 3, 4, 5].map((index) => {
    const offset = index * MAX_IO_BYTES
    return [offset, index < 5 ? MAX_IO_BYTES : 7, offset + 3]
  })
  await writeWhole(file, huge, 3)
  expect(calls.splice(0)).toEqual(expected)
  await readWhole(file, huge, 3)
  expect(calls).toEqual(expected)
})
