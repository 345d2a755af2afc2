import { bytesOf, textOf } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { assemble, type ByteEdit, editedParts } from "../door.js"

async function edited(source: Uint8Array, edits: readonly ByteEdit[]): Promise<string> {
  const read = async (offset: number, length: number) => source.subarray(offset, offset + length)
  const pieces: Uint8Array[] = []
  for await (const piece of assemble(editedParts(source.length, edits), read)) pieces.push(piece)
  return textOf(bytesOf(...pieces))
}

describe("splicing", () => {
  it("replaces, inserts and removes, and copies the rest", async () => {
    const edits = [
      { offset: 0, length: 1, bytes: bytesOf("AA") },
      { offset: 2, length: 0, bytes: bytesOf("+") },
      { offset: 4, length: 2, bytes: bytesOf() },
    ]
    expect(await edited(bytesOf("abcdefg"), edits)).toBe("AAb+cdg")
  })

  it("copies a source without edits, also one of several blocks", async () => {
    const source = new Uint8Array(2.5 * 1024 * 1024).fill(0x61)
    expect((await edited(source, [])).length).toBe(source.length)
    expect(await edited(bytesOf(), [])).toBe("")
  })

  it("gives what the same edits give on the text", async () => {
    const edit = fc.record({ gap: fc.nat(5), length: fc.nat(4), text: fc.constantFrom("", "x", "yz") })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 40 }),
        fc.array(edit),
        async (text, plan) => {
          const edits: ByteEdit[] = []
          let [expected, at] = ["", 0]
          for (const { gap, length, text: put } of plan) {
            const offset = at + gap
            if (offset + length > text.length) break
            edits.push({ offset, length, bytes: bytesOf(put) })
            expected += text.slice(at, offset) + put
            at = offset + length
          }
          expect(await edited(bytesOf(text), edits)).toBe(expected + text.slice(at))
        },
      ),
    )
  })
})
