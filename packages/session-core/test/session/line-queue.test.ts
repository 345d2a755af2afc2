import { describe, expect, it } from "vitest"
import type { SessionEntry } from "../../src/entry/entry.js"
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
