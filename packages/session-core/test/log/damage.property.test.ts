import { isTreelogError } from "@treelog/session-core"
import { linesOf, readLog, readLogBytes, type SessionLog } from "@treelog/session-core/adapter"
import { bytesOf, entryList, sessionText, testHeader, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const NEW_BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  fc
    .constantFrom(
      "\n",
      "}{",
      '"',
      '{"type":"session","id":"x"}',
      "\0\0\0",
      "[[[[[[",
      "1e999",
      "\\ud800",
      '"__proto__"',
      "}",
    )
    .map((text) => bytesOf(text)),
)

/** A stored session, a range of it, and what stands there after the damage. */
const damage = entryList.chain((entries) => {
  const bytes = bytesOf(sessionText(testHeader(), ...entries))
  return fc.record({
    bytes: fc.constant(bytes),
    from: fc.nat(bytes.length),
    length: fc.oneof(fc.constant(0), fc.constant(1), fc.nat(80)),
    put: NEW_BYTES,
  })
})

/** Line by line, and as bytes that are at hand. */
async function readDamaged(bytes: Uint8Array): Promise<SessionLog | undefined> {
  try {
    const log = await readLog(linesOf(bytes), "damaged")
    expect(readLogBytes(bytes, "damaged")).toEqual(log)
    return log
  } catch (error) {
    if (!isTreelogError(error, "InvalidSessionError")) throw error
    expect(() => readLogBytes(bytes, "damaged")).toThrow(error.message)
    return undefined
  }
}

describe("a damaged session", () => {
  it("is read without a throw, or refused as no session; lines that were not damaged come out equal", async () => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ bytes, from, length, put }) => {
        const to = Math.min(bytes.length, from + length)
        const log = await readDamaged(bytesOf(bytes.subarray(0, from), put, bytes.subarray(to)))
        if (!log) return
        const whole = [...linesOf(bytes)]
        const untouched = whole.slice(1).filter((line) => line.end <= from || line.offset - 1 >= to)
        const found = log.records.map(({ value }) => JSON.stringify(value))
        let at = 0
        for (const line of untouched) {
          const text = JSON.stringify(JSON.parse(new TextDecoder().decode(line.bytes)))
          at = found.indexOf(text, at) + 1
          expect(at, `line ${line.number} is missing`).toBeGreaterThan(0)
        }
      }),
      { numRuns: tries(120) },
    )
  })

  it("says where each fault is", async () => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ bytes, from, length, put }) => {
        const damaged = bytesOf(bytes.subarray(0, from), put, bytes.subarray(from + length))
        const log = await readDamaged(damaged)
        for (const { line, offset } of log?.diagnostics ?? []) {
          expect(line).toBeGreaterThan(0)
          expect(offset).toBeGreaterThanOrEqual(0)
          expect(offset).toBeLessThan(damaged.length)
        }
      }),
      { numRuns: tries(40) },
    )
  })

  it("that was cut at any byte of its last two entries keeps all that precede", async () => {
    const { bytes, lines } = threeEntries()
    const second = lines[2]?.offset ?? 0
    for (let end = second; end <= bytes.length; end++) {
      const log = await readDamaged(bytes.subarray(0, end))
      const kept = lines.slice(1).filter((line) => line.offset + line.bytes.length <= end).length
      expect(log?.records).toHaveLength(kept)
      const cutInside = lines.some((line) => line.offset < end && end < line.offset + line.bytes.length)
      expect(log?.diagnostics.some(({ kind }) => kind === "torn-line")).toBe(cutInside)
    }
  })
})

function threeEntries() {
  const entries = ["a", "b", "c"].map((id) => ({ type: "message", id, parentId: null, timestamp: "t", text: "é😀" }))
  const bytes = bytesOf(sessionText(testHeader(), ...entries))
  return { bytes, lines: [...linesOf(bytes)] }
}
