import { describe, expect, it } from "vitest"
import { call, convert, reply, result, system, text, user } from "./lines.js"

// Work that grows with the square of the lines takes minutes for so many, and the test its time.
const MANY = 30_000
const SAME = { timestamp: "2026-01-02T03:04:05.000Z" }

type Line = ReturnType<typeof user>

function many(make: (index: number, before: string) => Line): Line[] {
  let before = "u"
  return Array.from({ length: MANY }, (_, index) => {
    const line = make(index, before)
    before = String(line.uuid)
    return line
  })
}

/** How many entries are on the path to the last one. */
function depth(entries: readonly { readonly id: string; readonly parentId: string | null }[]): number {
  const parents = new Map(entries.map(({ id, parentId }) => [id, parentId]))
  let count = 0
  for (let id: string | null | undefined = entries.at(-1)?.id; id; id = parents.get(id)) count += 1
  return count
}

const first = user("u", null, "Hello")

describe("So many of a kind become one path:", () => {
  it("prompts below each other", () => {
    const { entries } = convert(
      first,
      many((index, before) => user(`p${index}`, before, `${index}`)),
    )
    expect([entries.length, depth(entries)]).toEqual([MANY + 1, MANY + 1])
  })

  it("lines of one reply", () => {
    const lines = many((index, before) => reply(`a${index}`, before, [text(`${index}`)], { id: "m" }))
    const { entries } = convert(first, lines)
    expect(entries[1]).toMatchObject({ message: { content: { length: MANY } } })
  })

  it("results of one call, at one time", () => {
    const results = many((index) => ({ ...result(`r${index}`, "a", "c"), toolUseResult: { stdout: index }, ...SAME }))
    const { entries } = convert(first, reply("a", "u", [call("c")]), results)
    // All say the same, so that the first counts.
    expect(entries.length).toBe(3)
  })

  it("results of unknown calls, at one time", () => {
    const results = many((index) => ({ ...result(`r${index}`, "a", `c${index}`), ...SAME }))
    const { entries } = convert(first, reply("a", "u", [text("Yes")]), results)
    expect([entries.length, depth(entries)]).toEqual([MANY + 2, MANY + 2])
  })

  it("results in one line", () => {
    const calls = Array.from({ length: MANY }, (_, index) => `c${index}`)
    const { entries } = convert(
      first,
      reply(
        "a",
        "u",
        calls.map((id) => call(id)),
      ),
      result("r", "a", ...calls),
    )
    expect(entries.at(-1)).toMatchObject({ message: { toolCallId: calls.at(-1) } })
    expect(depth(entries)).toBe(MANY + 2)
  })

  it("interruptions below reminders", () => {
    const reminders = many((index, before) => ({
      ...user(`k${index}`, before, ""),
      type: "attachment",
      rendered: "hint",
    }))
    const interruptions = many((index) => user(`i${index}`, `k${MANY - 1}`, "[Request interrupted by user]"))
    const { entries } = convert(first, reminders, interruptions)
    expect(entries.length).toBe(2 * MANY + 1)
  })

  it("compactions that keep the first message", () => {
    const boundaries = many((index, before) =>
      system(`b${index}`, null, "compact_boundary", {
        logicalParentUuid: before === "u" ? "u" : `s${index - 1}`,
        compactMetadata: { preservedSegment: { headUuid: "u" } },
      }),
    )
    const lines = boundaries.flatMap((line, index) => [
      line,
      user(`s${index}`, String(line.uuid), "So far", { isCompactSummary: true }),
    ])
    const { entries } = convert(first, lines)
    expect([entries.length, depth(entries)]).toEqual([MANY + 1, MANY + 1])
    expect(entries.at(-1)).toMatchObject({ type: "compaction", firstKeptEntryId: "u" })
  })
})
