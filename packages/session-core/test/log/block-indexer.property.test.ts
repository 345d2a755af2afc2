import { damageBytes } from "@treelog-internal/test-kit/damage"
import { generateSession, Random, type SessionStyle } from "@treelog-internal/test-kit/generator"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isTreelogError } from "../../src/errors.js"
import { BlockIndexer } from "../../src/log/block-indexer.js"
import { type SessionIndex, SessionIndexer } from "../../src/log/session-index.js"
import { linesOf } from "../../src/log/split-lines.js"

const STYLES: readonly SessionStyle[] = ["pi", "omp", "pi-migrated", "treelog", "pi-v1"]

function byLine(bytes: Uint8Array, isCareful: boolean): SessionIndex | undefined {
  const indexer = new SessionIndexer("key", isCareful)
  for (const line of linesOf(bytes)) if (!indexer.push(line)) return undefined
  return indexer.finish()
}

/** The memory of blocks is used again, as it is where a session is read. */
function byBlock(bytes: Uint8Array, isCareful: boolean, length: number): SessionIndex | undefined {
  const indexer = new BlockIndexer("key", isCareful)
  const room = new Uint8Array(length)
  for (let at = 0; at < bytes.length; at += length) {
    const block = bytes.subarray(at, at + length)
    room.set(block)
    if (!indexer.push(room.subarray(0, block.length))) return undefined
  }
  return indexer.finish()
}

function told(index: () => SessionIndex | undefined): unknown {
  try {
    return index()
  } catch (error) {
    if (isTreelogError(error, "InvalidSessionError")) return error.message
    throw error
  }
}

describe("the index of blocks", { timeout: 120_000 }, () => {
  it("is that of the lines in them, however they are cut and whatever is damaged", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STYLES),
        fc.nat(),
        fc.nat(3),
        fc.boolean(),
        fc.integer({ min: 1, max: 5_000 }),
        fc.boolean(),
        (style, seed, damages, isCareful, length, isCrLf) => {
          const random = new Random(seed)
          const text = [...generateSession({ seed, style, entries: 30, toolOutput: 300, compactions: 1 })].join("")
          let bytes: Uint8Array = new TextEncoder().encode(isCrLf ? text.replaceAll("\n", "\r\n") : text)
          for (let done = 0; done < damages; done++) ({ bytes } = damageBytes(bytes, random))
          expect(told(() => byBlock(bytes, isCareful, length))).toEqual(told(() => byLine(bytes, isCareful)))
        },
      ),
      { numRuns: 300 },
    )
  })
})
