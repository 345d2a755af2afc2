import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"
import { fingerprint } from "../door.js"

it("differs where one bit differs, wherever it stands, and where bytes are added", () => {
  const property = fc.property(
    fc.uint8Array({ minLength: 1, maxLength: 70 }),
    fc.nat(),
    fc.nat(7),
    (bytes, at, bit) => {
      const other = Uint8Array.from(bytes)
      other[at % bytes.length] = (other[at % bytes.length] ?? 0) ^ (1 << bit)
      const all = [bytes, other, Uint8Array.of(...bytes, 0), bytes.subarray(1)].map(fingerprint)
      expect(new Set(all).size).toBe(4)
      expect(all.every((number) => Number.isSafeInteger(number) && number >= 0)).toBe(true)
      // A view into other bytes has the number of its own.
      expect(fingerprint(Uint8Array.of(7, ...bytes, 7).subarray(1, -1))).toBe(fingerprint(bytes))
    },
  )
  fc.assert(property, { numRuns: tries(2000) })
})

it("gives a hundred thousand different lines different numbers", () => {
  const encoder = new TextEncoder()
  const numbers = Array.from({ length: 100_000 }, (_, at) =>
    fingerprint(encoder.encode(`{"type":"message","id":"${at}"}`)),
  )
  expect(new Set(numbers).size).toBe(100_000)
})
