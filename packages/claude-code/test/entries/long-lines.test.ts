import { describe, expect, it } from "vitest"
import { EntryMaker } from "../../src/entries/make-entry.js"
import { RecordReader } from "../../src/source/byte-source.js"
import type { SourceRecord } from "../../src/source/source-record.js"

const unread = new RecordReader({
  size: Number.MAX_SAFE_INTEGER,
  read: () => {
    throw new Error("A string cannot hold what was to be read.")
  },
})

function recordOf(length: number): SourceRecord {
  return { line: 7, part: 0, offset: 0, length } as SourceRecord
}

describe("An entry of more than a string can hold", () => {
  it.each([
    ["a line that is no JSON", { type: "damaged", record: recordOf(700_000_000) }, 700_000_000],
    ["a line of NULs", { type: "damaged", record: recordOf(100_000_000) }, 100_000_000],
    [
      "a reply of several lines",
      {
        type: "reply",
        records: [recordOf(300_000_000), recordOf(300_000_000)],
        usage: undefined,
        isAborted: false,
        isLacking: false,
      },
      600_000_000,
    ],
  ] as const)("has the size of %s in its place", (_, line, bytes) => {
    const entry = new EntryMaker(unread, () => ({}), new Set()).make({
      ...line,
      id: "a",
      parentId: "b",
      timed: "2026-01-02T03:04:05.000Z",
    })
    expect(entry).toEqual({
      type: "custom",
      id: "a",
      parentId: "b",
      timestamp: "2026-01-02T03:04:05.000Z",
      customType: "treelog.damaged",
      data: { bytes },
    })
  })
})
