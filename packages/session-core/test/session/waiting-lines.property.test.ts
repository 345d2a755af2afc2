import type { SessionEntry } from "@treelog/session-core"
import { MemoryBlobStore } from "@treelog/session-core"
import { joinBytes, splitLines } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { encodeLines, encodeText, NOTHING_STORED, sanitizeLines, waitingLine } from "../door.js"

const custom = (id: string): SessionEntry => ({ type: "custom", id, parentId: null, timestamp: "", customType: "test" })
const image = (id: string): SessionEntry => ({
  type: "message",
  id,
  parentId: null,
  timestamp: "",
  message: { role: "user", content: [{ type: "image", data: btoa(id.repeat(2000)), mimeType: "image/png" }] },
})

describe("sanitizing lines that wait", () => {
  it("keeps plain ones as they were appended, whatever became of the entry, and moves images out of the others", async () => {
    const plain = custom("a")
    const lines = [waitingLine(plain), waitingLine(image("b"))]
    const text = lines[0]?.text
    Object.assign(plain, { timestamp: "changed" })
    await sanitizeLines(lines, new MemoryBlobStore())
    expect(lines.map(({ isReady }) => isReady)).toEqual([true, true])
    expect(lines[0]?.text).toBe(text)
    expect(JSON.parse(lines[1]?.text ?? "").message.content[0].data).toMatch(/^blob:sha256:/)
    expect(lines[1]?.text).not.toContain("\n")
  })

  it("prepares a line again only where that failed", async () => {
    const lines = ["a", "b", "c"].map((id) => waitingLine(image(id)))
    const blobs = new MemoryBlobStore()
    const put = vi.spyOn(blobs, "put")
    put.mockImplementationOnce(put.getMockImplementation() ?? MemoryBlobStore.prototype.put.bind(blobs))
    put.mockRejectedValueOnce(new Error("No space."))
    await expect(sanitizeLines(lines, blobs)).rejects.toThrow("No space.")
    expect(lines.map(({ isReady }) => isReady)).toEqual([true, false, false])
    await sanitizeLines(lines, blobs)
    expect(lines.map(({ isReady }) => isReady)).toEqual([true, true, true])
    expect(put).toHaveBeenCalledTimes(4)
  })
})

describe("encoded lines", () => {
  /** Short and long ones, of one, two, three and four bytes a character, around the length where a line is encoded alone. */
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme" }) },
    fc.string({ unit: "binary-ascii" }),
    fc.string(),
    fc
      .tuple(fc.constantFrom("x", "é", "語", "😀"), fc.constantFrom(300, 2_000, 70_000))
      .map(([unit, count]) => unit.repeat(count)),
    fc.constantFrom(1_048_572, 1_048_573, 1_048_574, 1_048_575).map((count) => "é".repeat(count)),
  )
  const end = fc.constantFrom(
    NOTHING_STORED,
    { size: 100, lines: 3, terminated: true },
    { size: 100, lines: 3, terminated: false },
  )

  it("stand where their places say, behind what is stored, with a header where there is none", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text.map((content) => JSON.stringify(content))), end, async (texts, behind) => {
        const header = encodeText("{}\n")
        const lines = texts.map((each) => ({ entry: custom("a"), text: each, isReady: true }))
        const encoded = encodeLines(lines, behind, behind.size === 0 ? header : undefined)
        const bytes = joinBytes(encoded.chunks)
        const start = { line: behind.lines + (behind.terminated ? 1 : 0), offset: behind.size }
        const found = []
        for await (const line of splitLines([bytes], start))
          found.push({ ...line, text: new TextDecoder().decode(line.bytes) })
        const own = found.slice(found.length - texts.length)
        expect(own.map((line) => line.text)).toEqual(texts)
        expect(own.map(({ number, offset, bytes }) => ({ line: number, offset, length: bytes.length }))).toEqual(
          encoded.places,
        )
        expect(found.length - own.length).toBe(behind.size === 0 || (!behind.terminated && bytes.length > 0) ? 1 : 0)
        const last = found.at(-1)
        expect(encoded.end).toEqual(last ? { size: last.end, lines: last.number, terminated: true } : behind)
      }),
      { numRuns: tries(12) },
    )
  })

  it("are a few chunks when they are many and short", () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => waitingLine(custom(`short ${index} é`)))
    const { chunks, places } = encodeLines(lines, NOTHING_STORED, encodeText("{}\n"))
    expect(places).toHaveLength(10_000)
    expect(chunks.length).toBeLessThan(5)
  })
})
