import { parseLine, readLog, splitLines } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { BackwardSplitter, LONGEST_LINE, readSummary } from "../door.js"

const encoder = new TextEncoder()
const HEADER = encoder.encode(
  '{"type":"session","version":3,"id":"s","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/p"}\n',
)
const ENTRY = encoder.encode(
  '{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"hello","timestamp":1}}\n',
)
const BLOCK = new Uint8Array(64 * 1024 * 1024)
/** More than 4 GiB: more than any array of bytes can hold in some runtimes. */
const BLOCKS = 68

/** A line of so many blocks between a header and an entry. Nobody holds it: the block is always the same. */
function* session(): Generator<Uint8Array> {
  yield HEADER
  for (let block = 0; block < BLOCKS; block++) yield BLOCK
  yield encoder.encode("\n")
  yield ENTRY
}

describe("a line of more than 4 GiB", () => {
  const length = BLOCKS * BLOCK.length

  it("is a fault, and what stands behind it is read", async () => {
    const log = await readLog(splitLines(session()), "key")
    expect(log?.records.map(({ value }) => value.id)).toEqual(["a"])
    const message = `Line 2 has ${length} bytes: more than a string can hold.`
    expect(log?.diagnostics).toEqual([{ kind: "line-too-long", line: 2, offset: HEADER.length, message }])
    expect(log?.end).toEqual({ size: HEADER.length + length + 1 + ENTRY.length, lines: 3, terminated: true })
  })

  it("is passed over by a list", async () => {
    const size = HEADER.length + length + 1 + ENTRY.length
    const pieces = [
      { at: 0, bytes: HEADER },
      { at: size - ENTRY.length - 1, bytes: encoder.encode("\n") },
      { at: size - ENTRY.length, bytes: ENTRY },
    ]
    const storage = {
      async readRange(_key: string, offset: number, wanted: number, _identity?: string, into = BLOCK) {
        const read = into.subarray(0, Math.min(wanted, size - offset)).fill(0)
        for (const { at, bytes } of pieces)
          for (const [place, byte] of bytes.entries()) if (at + place >= offset) read[at + place - offset] = byte
        return read
      },
    }
    const stat = { size, modified: 1, identity: "1" }
    const { info, resume } = await readSummary({ storage, key: "key", id: "s", stat, block: new Uint8Array(2 ** 26) })
    expect(resume.size).toBe(size)
    expect(info).toMatchObject({ messageCount: 1, size })
  })

  it("is not held by who reads from the end: only reading forwards goes on", () => {
    const splitter = new BackwardSplitter()
    let offset = HEADER.length + length + 1 + ENTRY.length
    for (const bytes of [...session()].reverse()) {
      offset -= bytes.length
      for (const line of splitter.push({ offset, bytes })) expect(line.bytes.length).toBeLessThan(1_000)
      if (splitter.isLost) break
    }
    expect(splitter.isLost).toBe(true)
    expect(offset).toBeGreaterThan(length - LONGEST_LINE - BLOCK.length)
  })

  it("has no fault where it is just short enough", () => {
    const line = { number: 1, offset: 0, bytes: new Uint8Array(), end: LONGEST_LINE + 1, terminated: true }
    expect(parseLine({ ...line, tooLong: LONGEST_LINE + 1 }).faults).toMatchObject([{ kind: "line-too-long" }])
    expect(parseLine(line)).toEqual({ records: [], faults: [] })
  })
})
