import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { IdKeys, idKey } from "../../src/log/id-key.js"
import { MessageLink } from "../../src/log/message-link.js"
import { scanHead } from "../../src/log/scan-head.js"

const encoder = new TextEncoder()
const id = fc.stringMatching(/^[0-9a-f]{8}$/)
const time = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") })
  .map((at) => at.toISOString())
const message = fc.record({ role: fc.constant("user"), content: fc.string() })

/** Lines of both forms, and their neighbours: another byte somewhere, or fewer of them. */
const line = fc
  .tuple(id, id, time, message, fc.boolean(), fc.option(fc.tuple(fc.nat(400), fc.nat(255))), fc.option(fc.nat(400)))
  .map(([own, parentId, timestamp, said, isFront, change, length]) => {
    const type = "message"
    const entry = isFront
      ? { type, id: own, parentId, timestamp, message: said }
      : { type, timestamp, message: said, id: own, parentId }
    const bytes = encoder.encode(JSON.stringify(entry))
    if (change) bytes[change[0] % bytes.length] = change[1]
    return length === null ? bytes : bytes.subarray(0, length)
  })

describe("the link of a message", () => {
  it("is read wherever a line has one of the usual forms, also in the middle of other bytes", () => {
    fc.assert(
      fc.property(id, id, time, message, fc.boolean(), (own, parentId, timestamp, said, isFront) => {
        const type = "message"
        const entry = isFront
          ? { type, id: own, parentId, timestamp, message: said }
          : { type, timestamp, message: said, id: own, parentId }
        const text = JSON.stringify(entry)
        const bytes = encoder.encode(`before\n${text}\nbehind`)
        const link = new MessageLink()
        expect(link.read(bytes, 7, 7 + encoder.encode(text).length)).toBe(true)
        expect([link.id, link.parentId]).toEqual([idKey(own), idKey(parentId)])
      }),
    )
  })

  it("is never anything but what the head says, whatever was done to the line", () => {
    fc.assert(
      fc.property(line, (bytes) => {
        const link = new MessageLink()
        if (!link.read(bytes, 0, bytes.length)) return
        const head = scanHead(bytes)
        expect(head?.type).toBe("message")
        expect([idKey(head?.id ?? ""), idKey(head?.parentId ?? "")]).toEqual([link.id, link.parentId])
      }),
      { numRuns: 2_000 },
    )
  })
})

describe("keys of ids", () => {
  it("are as different as the ids", () => {
    const text = fc.oneof(id, fc.string(), fc.constantFrom("00000000", "ffffffff", "0000000", "FFFFFFFF"))
    const other = fc.oneof(text, fc.nat(7))
    fc.assert(
      fc.property(text, other, (one, change) => {
        // Another id, or the same with another character.
        const two = typeof change === "string" ? change : `${one.slice(0, change)}0${one.slice(change + 1)}`
        expect(idKey(one) === idKey(two)).toBe(one === two)
      }),
    )
  })

  it("are held in a set like any others", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 3_000 }),
        fc.array(fc.integer()),
        (keys, others) => {
          const [held, expected] = [new IdKeys(), new Set(keys)]
          expect(held.isEmpty).toBe(true)
          const met = new Set<unknown>()
          for (const key of keys) {
            expect(held.add(key)).toBe(!met.has(key))
            met.add(key)
          }
          expect(held.isEmpty).toBe(keys.length === 0)
          for (const key of [...keys, ...others, 0, "0"]) expect(held.has(key)).toBe(expected.has(key))
        },
      ),
    )
  })
})
