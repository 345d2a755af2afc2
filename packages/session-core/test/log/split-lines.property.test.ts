import type { Line } from "@treelog/session-core/adapter"
import { linesOf, splitLines } from "@treelog/session-core/adapter"
import { bytesOf, chunkings, textOf, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type BackwardLine, BackwardSplitter } from "../door.js"

const shown = ({ number, offset, bytes, end, terminated }: Line) => [number, offset, textOf(bytes), end, terminated]

async function gather(chunks: Iterable<Uint8Array>): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of splitLines(chunks)) lines.push({ ...line, bytes: line.bytes.slice() })
  return lines
}

/** A BOM stays in the first line, and a line is not numbered. */
function shownBackwards({ number, offset, bytes, terminated }: Line) {
  const hasBom = number === 1 && offset > 0
  return hasBom ? [0, `\ufeff${textOf(bytes)}`, terminated] : [offset, textOf(bytes), terminated]
}

/** The lines of the chunks, cut from the last one to the first. */
function backwards(chunks: readonly Uint8Array[]): unknown[] {
  const splitter = new BackwardSplitter()
  const lines: unknown[] = []
  const take = (cut: Iterable<BackwardLine>) => {
    for (const { offset, bytes, terminated } of cut) lines.push([offset, textOf(bytes), terminated])
  }
  let offset = chunks.reduce((sum, { length }) => sum + length, 0)
  for (const bytes of [...chunks].reverse()) {
    offset -= bytes.length
    take(splitter.push({ offset, bytes }))
  }
  take(splitter.finish())
  return lines.reverse()
}

describe("splitLines", () => {
  it("gives each line its number, offset, end, and bytes without the line end", () => {
    expect([...linesOf(bytesOf("ab\ncd\n"))].map(shown)).toEqual([
      [1, 0, "ab", 3, true],
      [2, 3, "cd", 6, true],
    ])
  })

  it("takes CRLF for a line end, and a CR elsewhere for content", () => {
    expect([...linesOf(bytesOf("a\rb\r\nc\r"))].map(shown)).toEqual([
      [1, 0, "a\rb", 5, true],
      [2, 5, "c\r", 7, false],
    ])
  })

  it("passes over a BOM at the start, and says where the content begins", () => {
    const [first, second] = [...linesOf(bytesOf(0xef, 0xbb, 0xbf, "a\n", 0xef, 0xbb, 0xbf, "b\n"))]
    expect([first?.offset, first?.bytes]).toEqual([3, bytesOf("a")])
    expect([second?.offset, second?.bytes]).toEqual([5, bytesOf(0xef, 0xbb, 0xbf, "b")])
  })

  it("passes over a BOM that is all there is on the first line", () => {
    for (const end of ["", "\n", "\r\n"]) {
      const [line] = [...linesOf(bytesOf(0xef, 0xbb, 0xbf, end))]
      expect([line?.bytes.length, line?.end, line?.terminated]).toEqual([0, 3 + end.length, end !== ""])
    }
  })

  it("gives a last line without LF as not terminated, and no line behind a last LF", () => {
    expect([...linesOf(bytesOf("a\nb"))].map(shown).at(-1)).toEqual([2, 2, "b", 3, false])
    expect([...linesOf(bytesOf("a\n"))]).toHaveLength(1)
  })

  it("gives blank lines, so that numbers and offsets stay those of the file", () => {
    expect([...linesOf(bytesOf("\n\r\n \na\n"))].map(shown)).toEqual([
      [1, 0, "", 1, true],
      [2, 1, "", 3, true],
      [3, 3, " ", 5, true],
      [4, 5, "a", 7, true],
    ])
  })

  it("gives nothing for no bytes, in however many chunks", async () => {
    expect([...linesOf(bytesOf())]).toEqual([])
    expect(await gather([bytesOf(), bytesOf()])).toEqual([])
  })

  it("goes on from where a reader stopped", () => {
    const lines = [...linesOf(bytesOf(0xef, 0xbb, 0xbf, "a\nb\n"), { line: 7, offset: 100 })]
    expect(lines.map(({ number, offset, end }) => [number, offset, end])).toEqual([
      [7, 100, 105],
      [8, 105, 107],
    ])
  })

  it("gives the same lines wherever the bytes are cut in two", async () => {
    const bytes = bytesOf(0xef, 0xbb, 0xbf, '{"a":"é😀"}\r\n\r\n\n{"b":1}\n\0\0', 0xff, "\nend")
    const whole = [...linesOf(bytes)]
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(await gather([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
    }
  })

  it("gives the same lines when every byte is a chunk of its own", async () => {
    const bytes = bytesOf("one\r\ntwo\n\nthree")
    expect(await gather([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual([...linesOf(bytes)])
  })

  it("gives the same lines for any bytes in any chunks, also from the last chunk to the first", async () => {
    const piece = fc.oneof(fc.constantFrom("\n", "\r\n", "\r", "{}", "é"), fc.integer({ min: 0, max: 255 }))
    const cutBytes = fc
      .array(piece, { maxLength: 40 })
      .map((pieces) => bytesOf(...pieces))
      .chain((bytes) => fc.tuple(fc.constant(bytes), chunkings(bytes)))
    await fc.assert(
      fc.asyncProperty(cutBytes, async ([bytes, chunks]) => {
        expect(await gather(chunks)).toEqual([...linesOf(bytes)])
        expect(backwards(chunks)).toEqual([...linesOf(bytes)].map(shownBackwards))
      }),
      { numRuns: tries(300) },
    )
  })

  it("covers any bytes without a gap: each line begins where the one before ended", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const lines = [...linesOf(bytes)]
        expect(lines.at(-1)?.end ?? 0).toBe(bytes.length)
        lines.forEach((line, index) => {
          const start = index === 0 ? 0 : (lines[index - 1]?.end ?? 0)
          expect(line.number).toBe(index + 1)
          if (index > 0) expect(line.offset).toBe(start)
        })
      }),
      { numRuns: tries(100) },
    )
  })
})
