import { restoreEntry, sanitizeEntry } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { custom, dataOf, endingFor, LIMIT, NOTICE, sha256 } from "./samples.js"
import { SpyBlobStore } from "./spy-blob-store.js"

const LOST = `\n\n${NOTICE}`

/** The text as a line has it; without a store what is cut off is lost. */
async function cut(text: string, blobs?: SpyBlobStore): Promise<string> {
  const { text: result } = dataOf(await sanitizeEntry(custom({ text }), blobs)) as { text: string }
  return result
}

async function restored(data: unknown, blobs: SpyBlobStore): Promise<{ data: unknown; kinds: string[] }> {
  const { value, diagnostics } = await restoreEntry(custom(data), blobs)
  return { data: dataOf(value), kinds: diagnostics.map(({ kind }) => kind) }
}

describe("a text of 500,000 units", () => {
  it("stays as it is, with a store and without", async () => {
    const entry = custom({ text: "x".repeat(LIMIT) })
    const blobs = new SpyBlobStore()
    expect(await sanitizeEntry(entry)).toBe(entry)
    expect(await sanitizeEntry(entry, blobs)).toBe(entry)
    expect(blobs.events).toEqual([])
  })
})

describe("a text of 500,001 units", () => {
  const text = "x".repeat(LIMIT + 1)

  it("is cut to 500,000 units that end with the notice, without a store", async () => {
    expect((await cut(text)) === "x".repeat(LIMIT - LOST.length) + LOST).toBe(true)
  })

  it("is cut to 500,000 units that name the whole, with a store", async () => {
    const blobs = new SpyBlobStore()
    const ending = endingFor(text)
    expect((await cut(text, blobs)) === "x".repeat(LIMIT - ending.length) + ending).toBe(true)
    expect(blobs.puts).toEqual([`put ${sha256(text)}`])
  })

  it("comes back whole", async () => {
    const blobs = new SpyBlobStore()
    const { data, kinds } = await restored({ text: await cut(text, blobs) }, blobs)
    expect((data as { text: string }).text === text).toBe(true)
    expect(kinds).toEqual([])
  })
})

describe("a surrogate pair", () => {
  it("on the cut is left out whole", async () => {
    const before = "x".repeat(LIMIT - LOST.length - 1)
    const result = await cut(`${before}\u{1f600}${"y".repeat(100)}`)
    expect(result === before + LOST).toBe(true)
    expect(result).toHaveLength(LIMIT - 1)
  })

  it("in front of the cut stays whole", async () => {
    const before = `${"x".repeat(LIMIT - LOST.length - 2)}\u{1f600}`
    expect((await cut(`${before}${"y".repeat(100)}`)) === before + LOST).toBe(true)
  })

  it("on the cut comes back from the store", async () => {
    const blobs = new SpyBlobStore()
    const text = `${"x".repeat(LIMIT - endingFor("").length - 1)}\u{1f600}${"y".repeat(200)}`
    const result = await cut(text, blobs)
    expect(result).toHaveLength(LIMIT - 1)
    const { data } = await restored({ text: result }, blobs)
    expect((data as { text: string }).text === text).toBe(true)
  })

  it.each([
    ["the notice", LIMIT - 100],
    ["the start", 0],
  ])("that lacks a half near %s keeps a text whole where a store is, since UTF-8 could not hold it", async (_, at) => {
    const blobs = new SpyBlobStore()
    const text = `${"x".repeat(at)}\ud83d${"y".repeat(LIMIT - at)}`
    expect((await cut(text, blobs)) === text).toBe(true)
    expect(blobs.events).toEqual([])
  })

  it("that lacks a half does not keep a text whole without a store", async () => {
    expect(await cut(`${"x".repeat(LIMIT)}\ud83d`)).toHaveLength(LIMIT)
  })
})

describe("a byte order mark at the start of a long text", () => {
  it("comes back", async () => {
    const blobs = new SpyBlobStore()
    const text = `\ufeff${"x".repeat(LIMIT)}`
    const { data } = await restored({ text: await cut(text, blobs) }, blobs)
    expect((data as { text: string }).text === text).toBe(true)
  })
})

describe("lineCount", () => {
  const lines = "a line\n".repeat(72_000)
  const counted = 72_001

  async function lineCounts(lineCount: unknown): Promise<{ stored: unknown; back: unknown; shown: number }> {
    const blobs = new SpyBlobStore()
    const entry = custom({ content: lines, lineCount })
    const sanitized = await sanitizeEntry(entry, blobs)
    const { content, lineCount: stored } = dataOf(sanitized) as { content: string; lineCount: unknown }
    const { value } = await restoreEntry(sanitized, blobs)
    const back = dataOf(value) as { content: string; lineCount: unknown }
    expect(back.content === lines).toBe(true)
    return { stored, back: back.lineCount, shown: content.split("\n").length }
  }

  it("is counted again for the cut content, and comes back", async () => {
    const { stored, back, shown } = await lineCounts(counted)
    expect(stored).toBe(shown)
    expect(back).toBe(counted)
  })

  it.each([0, -3, 1.5, 72_000, 1e300])(
    "comes back as the writer had it, where that is not the number of lines: %f",
    async (lineCount) => {
      const { stored, back, shown } = await lineCounts(lineCount)
      expect(stored).toBe(shown)
      expect(back).toBe(lineCount)
    },
  )

  it.each([undefined, null, "72001", true])("that is no number is left alone: %s", async (lineCount) => {
    expect(await lineCounts(lineCount)).toMatchObject({ stored: lineCount, back: lineCount })
  })

  it("is counted again without a store", async () => {
    const { content, lineCount } = dataOf(await sanitizeEntry(custom({ content: lines, lineCount: counted }))) as {
      content: string
      lineCount: number
    }
    expect(lineCount).toBe(content.split("\n").length)
  })

  it("is left alone beside a content that is not cut, and beside another text that is", async () => {
    const data = { content: "short", lineCount: 7, text: "x".repeat(LIMIT + 1) }
    expect(dataOf(await sanitizeEntry(custom(data)))).toMatchObject({ content: "short", lineCount: 7 })
  })
})

describe("a text that quotes a notice", () => {
  const quoted = `the tail of a session file:${endingFor("some blob")}`

  it.each([
    ["short", quoted],
    ["short, of a cut without a reference", `see${LOST}`],
  ])("stays as it is, and asks the store for nothing: %s", async (_, text) => {
    const blobs = new SpyBlobStore()
    await blobs.put(Buffer.from("some blob"))
    expect(await restored({ text }, blobs)).toEqual({ data: { text }, kinds: [] })
    expect(blobs.reads).toEqual([])
  })

  it("stays as it is when it is as long as a cut one, and the blob that it names is another", async () => {
    const blobs = new SpyBlobStore()
    const other = "z".repeat(LIMIT + 5)
    await blobs.put(Buffer.from(other))
    const text = "x".repeat(LIMIT - endingFor(other).length) + endingFor(other)
    const { data, kinds } = await restored({ text }, blobs)
    expect((data as { text: string }).text === text).toBe(true)
    expect(kinds).toEqual(["damaged-blob"])
  })

  it("comes back whole when it is long itself", async () => {
    const blobs = new SpyBlobStore()
    const text = "x".repeat(LIMIT) + quoted
    const { data, kinds } = await restored({ text: await cut(text, blobs) }, blobs)
    expect((data as { text: string }).text === text).toBe(true)
    expect(kinds).toEqual([])
  })
})

describe("a text that another program cut without keeping the rest", () => {
  it("is reported as cut, and not restored", async () => {
    const blobs = new SpyBlobStore()
    const text = "x".repeat(LIMIT - LOST.length) + LOST
    const { data, kinds } = await restored({ details: { content: text } }, blobs)
    expect((data as { details: { content: string } }).details.content === text).toBe(true)
    expect(kinds).toEqual(["cut-text"])
    expect(blobs.events).toEqual([])
  })
})

describe("key order", () => {
  it("stays as the writer had it", async () => {
    const blobs = new SpyBlobStore()
    const entry = custom({ z: 1, lineCount: 3, content: "x".repeat(LIMIT + 1), a: 2, partialJson: "", b: 3 })
    expect(Object.keys(dataOf(await sanitizeEntry(entry, blobs)) as object)).toEqual([
      "z",
      "lineCount",
      "content",
      "a",
      "b",
    ])
  })
})
