import { splitLines } from "@treelog/session-core/adapter"
import { bytesOf } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

describe("splitLines", () => {
  it("reads a line of 64 MB that comes in small chunks", async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x61)
    function* chunks(): Generator<Uint8Array> {
      yield bytesOf("first\n")
      for (let count = 0; count < 1024; count++) yield chunk
      yield bytesOf("\nlast\n")
    }
    const lengths: number[] = []
    for await (const line of splitLines(chunks())) lengths.push(line.bytes.length)
    expect(lengths).toEqual([5, 64 * 1024 * 1024, 4])
  })
})
