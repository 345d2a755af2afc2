import { formatLine, linesOf, parseLine } from "@treelog/session-core/adapter"
import { bytesOf, jsonObject, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeLine } from "../door.js"

function parsed(bytes: Uint8Array): unknown[] {
  return [...linesOf(bytes)].flatMap((line) => parseLine(line).records.map(({ value }) => value))
}

describe("formatLine", () => {
  it("gives one line that ends with LF, its keys in their order", () => {
    expect(formatLine({ type: "a", z: 1, b: "line\nbreak" })).toBe('{"type":"a","z":1,"b":"line\\nbreak"}\n')
  })

  it("escapes lone surrogates, so that the bytes are UTF-8", () => {
    expect(formatLine({ text: "\ud800" })).toBe('{"text":"\\ud800"}\n')
  })

  it("is undone by parsing, key order included, for any JSON object", () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        const [back, ...more] = parsed(encodeLine(value))
        expect(more).toEqual([])
        expect(JSON.stringify(back)).toBe(JSON.stringify(value))
      }),
      { numRuns: tries(500) },
    )
  })

  it("gives lines that any split keeps apart", () => {
    fc.assert(
      fc.property(fc.array(jsonObject, { maxLength: 5 }), (values) => {
        expect(JSON.stringify(parsed(bytesOf(...values.map(formatLine))))).toBe(JSON.stringify(values))
      }),
    )
  })

  it("writes any depth of nesting", () => {
    const text = `{"type":"custom","data":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`
    expect(formatLine(JSON.parse(text))).toBe(text)
  })

  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  it.each([
    ["a BigInt", { type: "custom", data: 1n }],
    ["a cycle", { type: "custom", data: cycle }],
    ["a toJSON that throws", { type: "custom", toJSON: () => fail() }],
    ["a toJSON that gives no object", { type: "custom", toJSON: () => "text" }],
    ["a toJSON that gives nothing", { type: "custom", toJSON: () => undefined }],
  ])("refuses %s with its type and the reason", (_, record) => {
    expect(() => formatLine(record)).toThrow(
      expect.objectContaining({
        code: "UnserializableEntryError",
        data: { type: "custom", reason: expect.any(String) },
      }),
    )
  })
})

function fail(): never {
  throw new Error("no JSON today")
}
