import fc from "fast-check"
import { afterEach, describe, expect, it, vi } from "vitest"

const asNodeDoes = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe("the text of bytes", () => {
  it.each([
    ["in Node", Buffer],
    ["where there is no Buffer", undefined],
  ])("has one character for each byte, %s", async (_, buffer) => {
    vi.stubGlobal("Buffer", buffer)
    const { byteText } = await import("../../src/log/byte-text.js")
    vi.unstubAllGlobals()
    const same = fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => byteText(bytes) === asNodeDoes(bytes))
    fc.assert(same)
    const long = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251)
    expect(byteText(long.subarray(3))).toBe(asNodeDoes(long.subarray(3)))
  })
})
