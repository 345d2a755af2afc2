import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SessionEntry } from "../../src/entry/entry.js"
import { encodeText } from "../../src/log/format-line.js"
import { joinBytes } from "../../src/log/join-bytes.js"
import { type Batch, LineQueue } from "../../src/session/writer/line-queue.js"

const entry = (id: string): SessionEntry => ({ type: "custom", id, parentId: null, timestamp: "", customType: "test" })
const unprepared = (): never => {
  throw new Error("Nothing was to be prepared.")
}

function queueOf(...texts: readonly string[]): LineQueue {
  const queue = new LineQueue()
  for (const text of texts) queue.add(entry(text), text, !text.startsWith("?"))
  return queue
}

/** The ids of a batch, its text, and what its lengths say of the lines. */
function seen({ entries, lines: { pieces, lengths } }: Batch) {
  const bytes = Buffer.concat(pieces)
  let from = 0
  const cut = lengths.map((length) => {
    from += length
    return bytes.toString("utf8", from - length, from)
  })
  expect(from).toBe(bytes.length)
  return { ids: entries.map(({ id }) => id), lines: cut }
}

describe("a queue of lines", () => {
  it("gives plain lines and prepared ones in the order in which they came", async () => {
    const queue = queueOf("a", "é", "?b", "?c", "d")
    const batch = await queue.batch(async (line) => line.replace("?", "é"))
    expect(seen(batch)).toEqual({ ids: ["a", "é", "?b", "?c", "d"], lines: ["a\n", "é\n", "éb\n", "éc\n", "d\n"] })
    expect(queue.size).toBe(5)
    queue.drop(batch)
    expect(queue.size).toBe(0)
  })

  it("keeps what comes while a batch is out for the next one", async () => {
    const queue = queueOf("a", "?b")
    const taken = queue.batch(async (line) => line)
    queue.add(entry("c"), "c", true)
    const batch = await taken
    queue.add(entry("d"), "d", true)
    expect(seen(batch).ids).toEqual(["a", "?b"])
    queue.drop(batch)
    expect(queue.size).toBe(2)
    expect(seen(await queue.batch(unprepared)).lines).toEqual(["c\n", "d\n"])
  })

  it("gives a batch that was not dropped again, with what came since", async () => {
    const queue = queueOf("a", "b")
    await queue.batch(unprepared)
    queue.add(entry("c"), "c", true)
    expect(seen(await queue.batch(unprepared)).lines).toEqual(["a\n", "b\n", "c\n"])
  })

  it("prepares a line again only where that failed", async () => {
    const queue = queueOf("?a", "b", "?c", "d")
    const prepared: string[] = []
    const failing = async (line: string): Promise<string> => {
      prepared.push(line)
      if (prepared.length === 2) throw new Error("No room.")
      return line
    }
    await expect(queue.batch(failing)).rejects.toThrow("No room.")
    expect(queue.size).toBe(4)
    expect(seen(await queue.batch(failing)).ids).toEqual(["?a", "b", "?c", "d"])
    expect(prepared).toEqual(["?a\n", "?c\n", "?c\n"])
  })

  it("puts another queue's lines in front", async () => {
    const queue = queueOf("c")
    queue.putFirst(queueOf("a", "b"))
    expect(queue.size).toBe(3)
    expect(seen(await queue.batch(unprepared)).ids).toEqual(["a", "b", "c"])
  })

  it("gives an empty batch where nothing waits, and dropping that changes nothing", async () => {
    const queue = new LineQueue()
    const batch = await queue.batch(unprepared)
    queue.add(entry("a"), "a", true)
    queue.drop(batch)
    expect(queue.size).toBe(1)
    expect(seen(await queue.batch(unprepared)).ids).toEqual(["a"])
  })
})

describe("lines that are encoded together", () => {
  /** Short and long ones, of one, two, three and four bytes a character, around the length where a line is encoded alone. */
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: "grapheme" }) },
    fc.string({ unit: "binary-ascii" }),
    fc.string(),
    fc
      .tuple(fc.constantFrom("x", "é", "語", "😀"), fc.constantFrom(300, 2_000, 70_000))
      .map(([unit, count]) => unit.repeat(count)),
    fc.constantFrom(1_048_573, 1_048_574, 1_048_575).map((count) => "é".repeat(count)),
  )
  const line = text.map((content) => JSON.stringify(content))
  const encoded = async (lines: readonly string[]) => (await queueOf(...lines).batch(unprepared)).lines

  it("are what they are alone, in order, each of its length", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { size: "medium" }), async (lines) => {
        const alone = lines.map((each) => encodeText(`${each}\n`))
        const { pieces, lengths } = await encoded(lines)
        expect(lengths).toEqual(alone.map(({ length }) => length))
        expect(Buffer.compare(joinBytes(pieces), joinBytes(alone))).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  it("are a few pieces when they are many and short", async () => {
    const { pieces, lengths } = await encoded(Array.from({ length: 10_000 }, (_, index) => `"short ${index} é"`))
    expect(lengths).toHaveLength(10_000)
    expect(pieces.length).toBeLessThan(5)
  })
})
