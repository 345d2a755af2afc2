import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generateSession, type SessionShape, writeLines } from "@treelog-internal/test-kit/generator"
import { describe, expect, test } from "vitest"

type Value = Record<string, unknown> & { message?: Record<string, unknown> }

const shape = (style: SessionShape["style"], more: Partial<SessionShape> = {}): SessionShape => ({
  seed: 3,
  style,
  entries: 900,
  compactions: 5,
  branching: 0.3,
  imageBytes: 2_000,
  ...more,
})

const linesOf = (of: SessionShape): string[] => [...generateSession(of)]
const entriesOf = (of: SessionShape): Value[] =>
  linesOf(of)
    .map((line) => JSON.parse(line) as Value)
    .slice(of.style === "omp" ? 2 : 1)
const ofType = (entries: Value[], type: string): Value[] => entries.filter((entry) => entry.type === type)

describe.each(["pi", "pi-v1", "pi-migrated", "omp", "treelog"] as const)("a generated session (%s)", (style) => {
  test("is the same for the same seed, and another for another", () => {
    expect(linesOf(shape(style))).toEqual(linesOf(shape(style)))
    expect(linesOf(shape(style))).not.toEqual(linesOf(shape(style, { seed: 4 })))
  })

  test("has as many entries and compactions as asked for, one object a line", () => {
    expect(entriesOf(shape(style))).toHaveLength(900)
    expect(ofType(entriesOf(shape(style)), "compaction")).toHaveLength(5)
    for (const line of linesOf(shape(style))) expect(line.indexOf("\n")).toBe(line.length - 1)
  })

  test("grows with the size of its tool outputs", () => {
    const chars = (toolOutput: number): number => linesOf(shape(style, { toolOutput, images: 0 })).join("").length
    expect(chars(12_000) / 900).toBeGreaterThan(3_500)
    expect(chars(200) / 900).toBeLessThan(1_500)
  })

  test("answers each tool call, except where it ends or is cut off", () => {
    const messages = entriesOf(shape(style, { branching: 0 })).flatMap(({ message }) => (message ? [message] : []))
    const blocks = messages.flatMap(({ role, content }) => (role === "assistant" ? (content as Value[]) : []))
    const calls = blocks.filter(({ type }) => type === "toolCall").map(({ id }) => id)
    const results = messages.filter(({ role }) => role === "toolResult").map(({ toolCallId }) => toolCallId)
    expect(results.length).toBeGreaterThan(100)
    expect(calls.slice(0, results.length)).toEqual(results)
  })
})

describe.each(["pi", "pi-migrated", "omp", "treelog"] as const)("the tree of a generated session (%s)", (style) => {
  test("has unique ids, and parents that come first", () => {
    const known = new Set<unknown>([null])
    for (const { id, parentId } of entriesOf(shape(style, { entries: 5_000 }))) {
      expect(known.has(parentId)).toBe(true)
      expect(known.has(id)).toBe(false)
      expect(id).toMatch(/^[0-9a-f]{8}$/)
      known.add(id)
    }
  })

  test("has compactions that keep from an entry on their path", () => {
    const entries = entriesOf(shape(style))
    const parents = new Map(entries.map(({ id, parentId }) => [id, parentId]))
    for (const { id, firstKeptEntryId } of ofType(entries, "compaction")) {
      const path = new Set<unknown>()
      for (let at: unknown = id; at !== null && at !== undefined; at = parents.get(at)) path.add(at)
      expect(path.has(firstKeptEntryId)).toBe(true)
    }
  })
})

test.each(["pi", "omp", "treelog"] as const)(
  "a generated session has branches, with and without summaries (%s)",
  (style) => {
    const entries = entriesOf(shape(style, { entries: 5_000 }))
    const summaries = ofType(entries, "branch_summary").length
    const parents = entries.map(({ parentId }) => parentId)
    const forks = parents.length - new Set(parents).size
    expect(summaries).toBeGreaterThan(3)
    expect(forks).toBeGreaterThan(summaries)
  },
)

test.each(["pi", "treelog"] as const)(
  "branches that do not reach far back leave most entries on the way to the leaf (%s)",
  (style) => {
    const entries = entriesOf(shape(style, { entries: 5_000, branching: 0.1, reach: 4 }))
    const parents = new Map(entries.map(({ id, parentId }) => [id, parentId]))
    let length = 0
    for (let at: unknown = entries.at(-1)?.id; at !== null; at = parents.get(at)) length++
    expect(entries.filter(({ parentId }) => parentId === null)).toHaveLength(1)
    expect(new Set(parents.values()).size).toBeLessThan(4_990)
    expect(length).toBeGreaterThan(3_500)
  },
)

describe("what is peculiar to a writer", () => {
  const keysOf = (style: SessionShape["style"], type: string, more: Partial<SessionShape> = {}): string[] =>
    Object.keys(ofType(entriesOf(shape(style, more)), type)[0] ?? {})

  test("pi puts the head first, but behind the payload of custom entries", () => {
    expect(keysOf("pi", "message")).toEqual(["type", "id", "parentId", "timestamp", "message"])
    expect(keysOf("pi", "custom")).toEqual(["type", "customType", "data", "id", "parentId", "timestamp"])
  })

  test("v1 has no ids, and compactions that keep from an index at which a turn begins", () => {
    const entries = entriesOf(shape("pi-v1"))
    expect(keysOf("pi-v1", "message")).toEqual(["type", "timestamp", "message"])
    for (const { firstKeptEntryIndex } of ofType(entries, "compaction"))
      expect(entries[Number(firstKeptEntryIndex) - 1]?.message).toMatchObject({ role: "user" })
  })

  test("pi's migration leaves ids at the end, and what pi appends later has them in front", () => {
    const entries = entriesOf(shape("pi-migrated", { grown: 100 }))
    expect(Object.keys(entries[799] ?? {}).slice(-2)).toEqual(["id", "parentId"])
    expect(Object.keys(entries[800] ?? {}).slice(1, 3)).toEqual(["id", "parentId"])
    expect(keysOf("pi-migrated", "compaction").slice(-3)).toEqual(["id", "parentId", "firstKeptEntryId"])
  })

  test("omp begins with a title line of 256 bytes", () => {
    const [title = "", header = ""] = linesOf(shape("omp"))
    expect(Buffer.byteLength(title)).toBe(256)
    expect(JSON.parse(title)).toMatchObject({ type: "title", v: 1 })
    expect(JSON.parse(header)).toMatchObject({ type: "session", version: 3 })
  })

  test("omp keeps images outside, by a hash; pi keeps them as base64 that decodes and encodes alike", () => {
    const omp = imagesOf(entriesOf(shape("omp", { images: 1 })))
    expect(omp.filter((data) => /^blob:sha256:[0-9a-f]{64}$/.test(data)).length).toBeGreaterThan(10)

    const pi = imagesOf(entriesOf(shape("pi", { images: 1 })))
    expect(pi.length).toBeGreaterThan(10)
    for (const data of pi) expect(Buffer.from(data, "base64").toString("base64")).toBe(data)
  })
})

test("lines are about as large as those of a real session, most small and a few very large", () => {
  const sizes = linesOf({ seed: 1, style: "pi-v1", entries: 4_000, images: 0 }).map((line) => Buffer.byteLength(line))
  sizes.sort((a, b) => a - b)
  const at = (share: number): number => sizes[Math.floor(share * sizes.length)] ?? 0
  // Of the real one: 300, 886, 4,294, 30,567, 118,238.
  expectBetween(at(0.1), 200, 600)
  expectBetween(at(0.5), 700, 1_400)
  expectBetween(at(0.9), 3_500, 6_000)
  expectBetween(at(0.99), 15_000, 40_000)
  expectBetween(at(1 - 1 / sizes.length), 90_000, 130_000)
})

test("writeLines puts the lines into a file as they are, and returns their number of bytes", () => {
  const folder = mkdtempSync(join(tmpdir(), "treelog-generator-"))
  const path = join(folder, "s.jsonl")
  const bytes = writeLines(path, generateSession(shape("pi", { toolOutput: 5_000 })))
  const written = readFileSync(path)
  rmSync(folder, { recursive: true })
  expect(written.length).toBe(bytes)
  expect(written.toString()).toBe(linesOf(shape("pi", { toolOutput: 5_000 })).join(""))
})

function imagesOf(entries: Value[]): string[] {
  const blocks = entries.flatMap(({ message }) => (Array.isArray(message?.content) ? (message.content as Value[]) : []))
  return blocks.filter(({ type }) => type === "image").map(({ data }) => String(data))
}

function expectBetween(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least)
  expect(value).toBeLessThanOrEqual(most)
}
