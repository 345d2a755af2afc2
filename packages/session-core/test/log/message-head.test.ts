import { bytesOf } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { messageHead } from "../../src/log/message-head.js"
import { usualHead } from "../../src/log/scan-head.js"

const id = fc.stringMatching(/^[0-9a-f]{8}$/)
const time = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-01-01") })
  .map((at) => at.toISOString())
const content = fc.oneof(
  fc.string(),
  fc.constantFrom('","parentId":', "parentId"),
  fc.object({ key: fc.constantFrom("a", "parentId") }),
)
const message = fc.record({ role: fc.constant("user"), content })
const usual = fc
  .tuple(id, id, time, message)
  .map(([own, parentId, timestamp, said]) => ({ type: "message", id: own, parentId, timestamp, message: said }))

/** Usual lines, two of them glued together, and their neighbours: another byte somewhere, or fewer of them. */
const line = fc
  .tuple(usual, fc.option(usual), fc.option(fc.tuple(fc.nat(400), fc.nat(255))), fc.option(fc.nat(400)))
  .map(([entry, glued, change, length]) => {
    const bytes = new Uint8Array(bytesOf(JSON.stringify(entry) + (glued ? JSON.stringify(glued) : "")))
    if (change) bytes[change[0] % bytes.length] = change[1]
    return length === null ? bytes : bytes.subarray(0, length)
  })

describe("the head of a message", () => {
  it("is read of a message as nearly all are written, also in the middle of other bytes", () => {
    const { type, ...rest } = {
      type: "message",
      id: "0123abcd",
      parentId: "fedc9876",
      timestamp: "2026-03-02T09:01:14.544Z",
    }
    const text = JSON.stringify({ type, ...rest, message: { role: "user", content: 'say "parentId": it' } })
    expect(messageHead(bytesOf(`before\n${text}\nbehind`), 7, 7 + text.length)).toEqual({ type, ...rest })
  })

  it("is that of the usual ways to read it, whatever was done to the line", () => {
    fc.assert(
      fc.property(line, fc.nat(20), (bytes, before) => {
        const head = messageHead(bytesOf("x".repeat(before), bytes, '\n","parentId":'), before, before + bytes.length)
        if (!head) return
        expect(head).toEqual(usualHead({ number: 1, offset: 0, bytes, end: bytes.length + 1, terminated: true }))
      }),
      { numRuns: 3_000 },
    )
  })
})
