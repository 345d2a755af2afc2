import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byteText } from "../../src/log/byte-text.js"
import type { Line } from "../../src/log/line.js"
import { BackwardSplitter, LineSplitter } from "../../src/log/split-lines.js"

/** As many bytes as are looked at together. */
const PIECE = 64 * 1024

type Cut = Pick<Line, "offset" | "bytes" | "text" | "terminated">

/** Lines whose ends stand around the ends of pieces, seen from either end of the bytes. */
const linesAroundPieces = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.nat(40),
        fc.integer({ min: PIECE - 40, max: PIECE + 40 }),
        fc.integer({ min: 2 * PIECE, max: 2 * PIECE + 3 }),
      ),
      fc.constantFrom("\n", "\r\n"),
    ),
    { maxLength: 12 },
  )
  .chain((lines) => fc.tuple(fc.constant(lines), fc.nat(50), fc.integer({ min: 1, max: 4 * PIECE })))

function bytesOf(lines: readonly (readonly [number, string])[], rest: number): Uint8Array {
  const text = lines.map(([length, end], at) => String.fromCharCode(0x61 + (at % 20)).repeat(length) + end).join("")
  return Uint8Array.from(text + "\xe9".repeat(rest), (character) => character.charCodeAt(0))
}

function shown({ offset, bytes, text, terminated }: Cut): unknown[] {
  expect(text === undefined || text === byteText(bytes)).toBe(true)
  return [offset, byteText(bytes), terminated]
}

/** Cut by the simplest means. */
function expected(bytes: Uint8Array): unknown[] {
  const found: unknown[] = []
  let from = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
    found.push([from, byteText(bytes.subarray(from, at)).replace(/\r$/, ""), true])
    from = at + 1
  }
  return from < bytes.length ? [...found, [from, byteText(bytes.subarray(from)), false]] : found
}

describe("lines whose ends stand around those of the pieces that are looked at together", () => {
  it("are cut as one by one, forwards and backwards, in blocks of any size, with their texts", () => {
    const property = fc.property(linesAroundPieces, ([lines, rest, size]) => {
      const bytes = bytesOf(lines, rest)
      const [forwards, backwards] = [new LineSplitter(), new BackwardSplitter()]
      const cut: unknown[] = []
      for (let at = 0; at < bytes.length; at += size)
        for (const line of forwards.push(bytes.subarray(at, at + size))) cut.push(shown(line))
      for (const line of forwards.finish()) cut.push(shown(line))
      expect(cut).toEqual(expected(bytes))
      const reverse: unknown[] = []
      for (let end = bytes.length; end > 0; end -= size) {
        const offset = Math.max(0, end - size)
        for (const line of backwards.push({ offset, bytes: bytes.subarray(offset, end) })) reverse.push(shown(line))
      }
      for (const line of backwards.finish()) reverse.push(shown(line))
      expect(reverse.reverse()).toEqual(expected(bytes))
    })
    fc.assert(property, { numRuns: tries(6) })
  })
})
