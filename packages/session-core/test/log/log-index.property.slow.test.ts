import { isTreelogError } from "@treelog/session-core"
import { linesOf, readLog, type SessionLog } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import { damageBytes } from "@treelog-internal/test-kit/damage"
import { generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type LogIndex, LogIndexer } from "../door.js"

const STYLES: readonly SessionStyle[] = ["pi", "omp", "pi-migrated", "treelog", "pi-v1"]

/** The memory of blocks is used again, as it is where a session is read. */
function indexed(bytes: Uint8Array, isCareful: boolean, length = bytes.length): LogIndex | undefined {
  const indexer = new LogIndexer("key", isCareful)
  const buffer = new Uint8Array(length)
  for (let at = 0; at < bytes.length; at += length) {
    const block = bytes.subarray(at, at + length)
    buffer.set(block)
    if (!indexer.push(buffer.subarray(0, block.length))) return undefined
  }
  return indexer.finish()
}

async function resultOf<T>(read: () => T | Promise<T>): Promise<T | string> {
  try {
    return await read()
  } catch (error) {
    if (isTreelogError(error, "InvalidSessionError")) return error.message
    throw error
  }
}

/** What stands for each record, in the order of the lines. */
function heads(of: LogIndex | SessionLog | string | undefined) {
  if (typeof of !== "object") return of
  const { header, headerPlace, titleSlot, end } = of
  const records =
    "items" in of
      ? of.items.map((item) => ("head" in item ? { value: item.head, place: item.place } : item))
      : of.records
  return [header, headerPlace, titleSlot, end, records.map(({ value, place }) => [value.type, value.id, place])]
}

describe("the index of a session", () => {
  it("is the same however its bytes are cut into blocks, and, parsed line by line, what reading the log gives", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STYLES),
        fc.nat(),
        fc.nat(3),
        fc.integer({ min: 1, max: 5_000 }),
        fc.boolean(),
        async (style, seed, damages, length, isCrLf) => {
          const random = new Random(seed)
          const text = [...generateSession({ seed, style, entries: 30, toolOutput: 300, compactions: 1 })].join("")
          let bytes: Uint8Array = new TextEncoder().encode(isCrLf ? text.replaceAll("\n", "\r\n") : text)
          for (let done = 0; done < damages; done++) ({ bytes } = damageBytes(bytes, random))
          const whole = await resultOf(() => indexed(bytes, false))
          expect(await resultOf(() => indexed(bytes, false, length))).toEqual(whole)
          const careful = await resultOf(() => indexed(bytes, true, length))
          const log = await resultOf(() => readLog(linesOf(bytes), "key"))
          if (careful !== undefined) expect(heads(careful)).toEqual(heads(log))
          if (damages === 0) expect(heads(whole)).toEqual(heads(careful))
        },
      ),
      { numRuns: tries(30) },
    )
  })
})
