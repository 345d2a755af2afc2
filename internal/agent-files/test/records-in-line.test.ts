import { recordsIn } from "@treelog-internal/agent-files"
import { describe, expect, it } from "vitest"

const event = (id: string, more: object = {}) =>
  JSON.stringify({ type: "said", data: { text: `I am ${id}`, blocks: [{ type: "text", text: "a" }], ...more }, id })

function idsIn(text: string): { ids: unknown[]; kinds: string[] } {
  const bytes = new TextEncoder().encode(text)
  const found = [...recordsIn({ number: 1, offset: 0, end: bytes.length, terminated: true, bytes })]
  return {
    ids: found.flatMap((one) => ("value" in one ? [one.value.id] : [])),
    kinds: found.flatMap((one) => ("faults" in one ? one.faults.map(({ kind }) => kind) : [])),
  }
}

describe("the records of a line", () => {
  it.each(Array.from({ length: event("a").length - 1 }, (_, at) => at + 1))(
    "are found behind one that was torn after %d characters, and nothing of that",
    (length) => {
      const line = event("a").slice(0, length) + event("b")
      expect(idsIn(line)).toEqual({ ids: ["b"], kinds: ["glued-records"] })
    },
  )

  it("are found behind a whole one and a torn one", () => {
    expect(idsIn(event("a") + event("b").slice(0, 30) + event("c")).ids).toEqual(["a", "c"])
  })

  it("are found where others are glued to them, of any kind", () => {
    expect(idsIn(`${event("a")}{"id":"b"}`).ids).toEqual(["a", "b"])
  })

  it.each(Array.from({ length: event("a").length - 1 }, (_, at) => at + 1))(
    "are none where one was torn after %d characters, also behind an object in it",
    (length) => {
      expect(idsIn(event("a").slice(0, length)).ids).toEqual([])
    },
  )
})
