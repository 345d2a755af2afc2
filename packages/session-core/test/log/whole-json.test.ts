import { bytesOf } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isJsonObject } from "../../src/entry/json-object.js"
import { WholeJson } from "../../src/log/whole-json.js"

const ANY = { key: () => true }
const isObject = (bytes: Uint8Array, from = 0, to = bytes.length) => new WholeJson(ANY).isObject(bytes, from, to)

function parses(bytes: Uint8Array): boolean {
  try {
    return isJsonObject(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return false
    throw error
  }
}

const object = fc.object({
  withBigInt: false,
  key: fc.string({ unit: "binary" }),
  values: [fc.string({ unit: "binary" }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null)],
})
const PIECES = [
  "\\",
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "0",
  "-",
  "1e5",
  "1.",
  ".5",
  "E+2",
  "tru",
  "null",
  "\\u12g4",
  "\\ud800",
  " ",
  "\t",
  "\r",
  "\0",
  "\x7f",
  "é",
  "😀",
]
const put = fc.oneof(
  fc.uint8Array({ maxLength: 4 }),
  fc.constantFrom(...PIECES).map((piece) => bytesOf(piece)),
)

describe("looking through JSON text", { timeout: 60_000 }, () => {
  it("takes every object as JSON.stringify writes it, wherever in memory it lies, and none of its beginnings", () => {
    fc.assert(
      fc.property(object, fc.nat(9), fc.nat(), (value, before, length) => {
        const bytes = bytesOf("x".repeat(before), JSON.stringify(value), '"}')
        const end = bytes.length - 2
        expect(isObject(bytes, before, end)).toBe(true)
        expect(isObject(bytes, before, before + (length % (end - before)))).toBe(false)
      }),
      { numRuns: 1_000 },
    )
  })

  it("takes nothing that strict decoding and parsing refuse", () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.nat(3), put, (value, at, length, piece) => {
        const bytes = bytesOf(JSON.stringify(value))
        const from = at % (bytes.length + 1)
        const damaged = bytesOf(bytes.subarray(0, from), piece, bytes.subarray(from + length))
        if (isObject(damaged)) expect(parses(damaged)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it("takes exactly the sequences of bytes that are UTF-8", () => {
    const sequence = fc.oneof(
      fc.array(
        fc.oneof(fc.integer({ min: 0x7f, max: 0xff }), fc.constantFrom(0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4)),
        { minLength: 1, maxLength: 5 },
      ),
    )
    fc.assert(
      fc.property(sequence, (bytes) => {
        const text = bytesOf('{"a":"', Uint8Array.from(bytes), '"}')
        expect(isObject(text)).toBe(parses(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it("takes exactly the words and numbers that are JSON", () => {
    const word = fc.oneof(
      fc.string({ unit: fc.constantFrom("0", "1", "9", "-", "+", ".", "e", "E"), minLength: 1, maxLength: 7 }),
      fc.constantFrom("true", "false", "null", "nul", "nulll", "True", "NaN", "-Infinity", "-", "undefined"),
    )
    fc.assert(
      fc.property(word, (text) => {
        expect(isObject(bytesOf(`{"a":${text}}`))).toBe(parses(bytesOf(`{"a":${text}}`)))
        expect(isObject(bytesOf(`{"a":[${text}]}`))).toBe(parses(bytesOf(`{"a":[${text}]}`)))
      }),
      { numRuns: 5_000 },
    )
  })

  it("tells the keys of the object and of those in it, and stops where one of them is no good", () => {
    const told: [number, string][] = []
    const watcher = {
      key(bytes: Uint8Array, depth: number, from: number, to: number): boolean {
        told.push([depth, new TextDecoder().decode(bytes.subarray(from, to))])
        return told.at(-1)?.[1] !== "stop"
      },
    }
    const json = new WholeJson(watcher)
    const text = bytesOf('{"a":{"b":{"c":1},"d":[{"e":2}]},"f":[{"g":3}],"h":{}}')
    expect(json.isObject(text, 0, text.length)).toBe(true)
    expect(told).toEqual([
      [1, "a"],
      [2, "b"],
      [2, "d"],
      [1, "f"],
      [1, "h"],
    ])
    const stopped = bytesOf('{"stop":1}')
    expect(json.isObject(stopped, 0, stopped.length)).toBe(false)
  })

  it("leaves what is nested deeply to the parser, and takes what is not", () => {
    const nested = (depth: number) => bytesOf(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`)
    expect([isObject(nested(200)), isObject(nested(300))]).toEqual([true, false])
  })
})
