import { parseLine } from "@treelog/session-core/adapter"
import { bytesOf, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scanHead, usualHead } from "../door.js"

const hex = fc.stringMatching(/^[0-9a-f]{8}$/)
const text = fc.stringMatching(/^[\w é€😀-]{1,40}$/u)
const id = fc.oneof({ weight: 3, arbitrary: hex }, { weight: 1, arbitrary: text })
const head = fc.record({
  type: fc.constantFrom("message", "custom", "custom_message", "label", "é"),
  id,
  parentId: fc.oneof(id, fc.constant(null)),
  timestamp: fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") })
    .map((at) => at.toISOString()),
})
const content = fc.oneof(
  fc.string(),
  fc.string({ minLength: 300, maxLength: 400 }),
  fc.constantFrom('","parentId":', "parentId", '{"type":"message"'),
  fc.object({ key: fc.constantFrom("a", "type", "parentId") }),
)
const message = fc.record({ role: fc.constant("user"), content })
const form = fc.constantFrom("front", "migrated", "late")

function lineOf(
  of: { type: string; id: string; parentId: string | null; timestamp: string },
  form: string,
  body: object,
) {
  const { type, id, parentId, timestamp } = of
  if (form === "front") return JSON.stringify({ ...of, message: body })
  if (form === "migrated") return JSON.stringify({ type, timestamp, message: body, id, parentId })
  return JSON.stringify({ type, data: body, id, parentId, timestamp })
}

const usual = fc.tuple(head, form, message).map((of) => lineOf(...of))

/** Lines of all forms, two of them glued together, and their neighbours: another byte somewhere, or fewer of them. */
const damage = fc.oneof(
  usual,
  fc.tuple(fc.nat(400), fc.integer({ min: 11, max: 255 })),
  fc.nat(400),
  fc.constant(undefined),
)
const line = fc.tuple(usual, damage).map(([of, damage]) => {
  if (typeof damage === "string") return bytesOf(of + damage)
  const bytes = new Uint8Array(bytesOf(of))
  if (typeof damage === "object") bytes[damage[0] % bytes.length] = damage[1]
  return typeof damage === "number" ? bytes.subarray(0, damage) : bytes
})

function only(bytes: Uint8Array) {
  return { number: 1, offset: 0, bytes, end: bytes.length + 1, terminated: true }
}

describe("the head of an entry", () => {
  it("is read of a line in every form, and of one whose payload is damaged", () => {
    fc.assert(
      fc.property(head, form, (of, form) => {
        const whole = lineOf(of, form, { role: "user", content: 'say "parentId": it' })
        const isAscii = /^[ -~]*$/.test(whole)
        if (isAscii) expect(usualHead(only(bytesOf(whole)))).toEqual(of)
        expect(scanHead(bytesOf(whole.replace('say \\"', "say "))), whole).toEqual(of)
      }),
    )
  })

  it("is not that of a header", () => {
    expect(scanHead(bytesOf('{"type":"session","id":"a","parentId":null,"timestamp":""}'))).toBeUndefined()
  })

  it("is the one that parsing finds, whatever was done to the line", () => {
    let read = 0
    fc.assert(
      fc.property(line, (bytes) => {
        const found = usualHead(only(bytes))
        if (!found) return
        read += 1
        const { records, lost } = parseLine(only(bytes))
        expect(records.length).toBeLessThan(2)
        expect(records[0]?.value ?? lost).toMatchObject(found)
      }),
      { numRuns: tries(800) },
    )
    expect(read).toBeGreaterThan(tries(800) / 10)
  })
})
