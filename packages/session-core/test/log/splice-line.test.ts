import { spliceLine } from "@treelog/session-core/adapter"
import { jsonObject } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function respliced(text: string, change: (record: Record<string, unknown>) => Record<string, unknown>): string {
  const before = JSON.parse(text) as Record<string, unknown>
  return decode(spliceLine(encode(text), before, change(before)))
}

describe("spliceLine", () => {
  it("copies what does not change as it stands: large numbers, fractions, order of keys, escapes, white space inside", () => {
    const text =
      '{"type":"x","n":12345678901234567890,"f":1.0,"e":1e400,"b":{"2":0,"1":[ 1.50 ]},"s":"\\u0041\\/","z":-0}'
    expect(respliced(text, (record) => ({ ...record, parentId: "p" }))).toBe(`${text.slice(0, -1)},"parentId":"p"}`)
  })

  it("puts a new member behind the one that it follows", () => {
    const change = ({ type, ...rest }: Record<string, unknown>) => ({ type, id: "a", parentId: null, ...rest })
    expect(respliced('{"type":"message","timestamp":"t","message":{}}', change)).toBe(
      '{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{}}',
    )
  })

  it("changes a member deep inside and leaves its neighbours alone", () => {
    const text = '{"a":[1.0,{"role":"hookMessage","n":1.00},2.0],"b":9007199254740993}'
    const change = ({ a, ...rest }: Record<string, unknown>) => {
      const [first, second, third] = a as [unknown, object, unknown]
      return { a: [first, { ...second, role: "custom" }, third], ...rest }
    }
    expect(respliced(text, change)).toBe('{"a":[1.0,{"role":"custom","n":1.00},2.0],"b":9007199254740993}')
  })

  it("takes members out, the first, the last and the only one", () => {
    expect(respliced('{"a":1,"b":2.0,"c":3}', ({ b }) => ({ b }))).toBe('{"b":2.0}')
    expect(respliced('{"a":1}', () => ({}))).toBe("{}")
  })

  it("keeps bytes that are no UTF-8 in members that do not change", () => {
    const raw = Uint8Array.of(...encode('{"a":"'), 0xff, ...encode('","b":1}'))
    const before = { a: "\ufffd", b: 1 }
    expect(spliceLine(raw, before, { ...before, b: 2 })).toEqual(
      Uint8Array.of(...encode('{"a":"'), 0xff, ...encode('","b":2}')),
    )
  })

  it("keeps a key that stands there twice, and a key called __proto__", () => {
    expect(respliced('{"a":1,"a":2.0,"b":3}', (record) => ({ ...record, c: 4 }))).toBe('{"a":1,"a":2.0,"b":3,"c":4}')
    expect(respliced('{"__proto__":{"x":1.0},"b":3}', (record) => ({ ...record, b: 4 }))).toBe(
      '{"__proto__":{"x":1.0},"b":4}',
    )
  })

  it("changes the one that counts of a key that stands there twice, of whatever kind the other is", () => {
    const changed = (record: Record<string, unknown>) => ({ ...record, a: { b: 2 } })
    expect(respliced('{"a":null,"a":{"b":1.0}}', changed)).toBe('{"a":{"b":2}}')
    expect(respliced('{"a":[0],"c":1.0,"a":{"b":1.0}}', changed)).toBe('{"c":1.0,"a":{"b":2}}')
  })

  it("is not deterred by values nested 20,000 deep", () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    expect(respliced(`{"a":${deep},"b":1}`, (record) => ({ ...record, b: 2 }))).toBe(`{"a":${deep},"b":2}`)
  })

  it("reads as the changed record, for any record and any change of its members", () => {
    const keys = fc.uniqueArray(fc.string(), { maxLength: 4 })
    fc.assert(
      fc.property(jsonObject, jsonObject, keys, fc.nat(), (record, additions, dropped, indent) => {
        const text = JSON.stringify(record, undefined, indent % 3)
        const before = JSON.parse(text) as Record<string, unknown>
        const kept = Object.entries(before).filter(([key]) => !dropped.includes(key))
        const after = Object.fromEntries([...kept, ...Object.entries(JSON.parse(JSON.stringify(additions)) as object)])
        expect(JSON.parse(decode(spliceLine(encode(text), before, after)))).toEqual(after)
      }),
    )
  })
})
