import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linesOf } from "@treelog/session-core/adapter"
import { lastLines, OpenedFile, piecesBackward, textsIn, wantedLines } from "@treelog-internal/agent-files"
import { nodeFs } from "@treelog-internal/fs"
import fc from "fast-check"
import { afterAll, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "treelog-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Lines of which some are longer than what is read at once. @param long of the long ones */
const texts = (long: number) =>
  fc
    .tuple(fc.array(fc.tuple(fc.constantFrom("", "a", "ab", "b", "abc"), fc.integer({ min: 0, max: 3 }))), fc.boolean())
    .map(
      ([lines, isTorn]) =>
        lines.map(([text, times]) => text.repeat(times && long >> times)).join("\n") + (isTorn ? "" : "\n"),
    )

function opened(text: string): OpenedFile {
  const path = join(folder, "a.jsonl")
  writeFileSync(path, text)
  return new OpenedFile(nodeFs, path)
}

it("reads the lines of a file from its end, each whole and once, but for those that begin before a place", () => {
  fc.assert(
    fc.property(texts(300), fc.integer({ min: 0, max: 400 }), (text, from) => {
      const file = opened(text)
      const found: { offset: number; text: string }[] = []
      for (const { offset, bytes } of piecesBackward(file, file.size, from, Buffer.alloc(64)))
        found.unshift({ offset, text: bytes.toString() })
      file.close()
      const start = from === 0 ? 0 : text.indexOf("\n", from) + 1 || text.length
      expect(found.map((piece) => piece.text).join("")).toBe(text.slice(start))
      for (const { offset } of found) expect(offset === 0 || text[offset - 1] === "\n").toBe(true)
    }),
  )
})

it("finds the same lines, wherever they are, as all lines of the file have", () => {
  fc.assert(
    fc.property(texts(400_000), (text) => {
      const file = opened(text)
      const lines = [...linesOf(Buffer.from(text))].map(({ number, offset, bytes }) => {
        return { number, offset, text: Buffer.from(bytes).toString() }
      })
      const wanted = [...wantedLines(file, file.size, (bytes) => textsIn(bytes, ["bab", "ca"]))]
      expect(wanted.map(({ number, offset }) => ({ number, offset }))).toEqual(
        lines.filter((line) => /bab|ca/.test(line.text)).map(({ number, offset }) => ({ number, offset })),
      )
      const searches = ["bab", "ca"].map((one) => ({ text: one, before: file.size, find: () => true }))
      const last = ["bab", "ca"].map((one) => lines.filter((line) => line.text.includes(one)).at(-1)?.offset)
      expect(lastLines(file, searches).map((one) => one?.offset)).toEqual(last)
      file.close()
    }),
    { numRuns: 30 },
  )
})
