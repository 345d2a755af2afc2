import type { SessionEntry } from "@treelog/session-core"
import { EntryTree, linesOf, migrate, readLog, type SessionLog } from "@treelog/session-core/adapter"
import { deepFreeze, entry, sessionText, testHeader, v1Session } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const V1_HEADER = {
  type: "session",
  id: "old-session",
  timestamp: "2025-11-01T10:00:00.000Z",
  cwd: "/project",
  provider: "anthropic",
  modelId: "claude-old",
  thinkingLevel: "off",
  branchedFrom: "/elsewhere.jsonl",
  "x-unknown": { deep: [1] },
}
const said = (text: string) => ({ type: "message", timestamp: "t", message: { role: "user", content: text } })
const compacted = (firstKeptEntryIndex: unknown) => ({
  type: "compaction",
  timestamp: "t",
  summary: "s",
  firstKeptEntryIndex,
})

async function logOf(...records: object[]): Promise<SessionLog> {
  const log = await readLog(linesOf(new TextEncoder().encode(sessionText(...records))), "key")
  if (!log) throw new Error("no bytes")
  return deepFreeze(log)
}

const migrated = async (...records: object[]): Promise<ReturnType<typeof migrate>> => migrate(await logOf(...records))
const values = ({ records }: ReturnType<typeof migrate>) => records.map(({ value }) => value)

describe("migration of version 1", () => {
  it("gives each entry a fresh id and the one before it as its parent", async () => {
    const [a, b, c] = values(
      await migrated(V1_HEADER, said("a"), { ...said("b"), id: "own", parentId: "x" }, said("c")),
    )
    expect([a?.parentId, b?.parentId, c?.parentId]).toEqual([null, a?.id, b?.id])
    for (const value of [a, b, c]) expect(value?.id).toMatch(/^[0-9a-f]{8}$/)
    expect(new Set([a?.id, b?.id, c?.id]).size).toBe(3)
  })

  it("keeps all other fields, in their order", async () => {
    const [value] = values(
      await migrated(V1_HEADER, { "x-first": 1, ...said("a"), "x-last": { __proto__: null, b: 2 } }),
    )
    expect(Object.keys(value ?? {})).toEqual(["type", "id", "parentId", "x-first", "timestamp", "message", "x-last"])
    expect(value).toMatchObject({ "x-first": 1, "x-last": { b: 2 }, message: { content: "a" } })
  })

  it("keeps every field of the header, and sets its version", async () => {
    const { header } = await migrated(V1_HEADER, said("a"))
    expect(header).toEqual({ ...V1_HEADER, version: 3 })
    expect(Object.keys(header)).toEqual([...Object.keys(V1_HEADER), "version"])
  })

  it("turns the index of a compaction, with the header at 0, into the id of the entry there", async () => {
    const all = values(await migrated(V1_HEADER, said("a"), said("b"), compacted(2), compacted(3)))
    expect(all[2]).toMatchObject({ firstKeptEntryId: all[1]?.id })
    expect(all[3]).toMatchObject({ firstKeptEntryId: all[2]?.id })
    for (const value of all) expect(value).not.toHaveProperty("firstKeptEntryIndex")
  })

  it("leaves the boundary of a compaction out, and reports it, where its index is no entry's", async () => {
    const indexes: unknown[] = [0, -1, 3, 99, 1.5, "1", null, {}, { toString: 1 }]
    for (const index of indexes) {
      const { records, report } = await migrated(V1_HEADER, said("a"), compacted(index))
      expect(records[1]?.value).not.toHaveProperty("firstKeptEntryIndex")
      expect(records[1]?.value).not.toHaveProperty("firstKeptEntryId")
      expect(report?.diagnostics).toMatchObject([{ kind: "dropped-compaction-boundary", line: 3 }])
    }
  })

  it("makes no entry of an object without a type, and links past it", async () => {
    const result = await migrated(V1_HEADER, said("a"), { note: 1 }, said("b"), compacted(3))
    const [a, other, b, compaction] = values(result)
    expect(other).toEqual({ note: 1 })
    expect(b?.parentId).toBe(a?.id)
    expect(compaction?.firstKeptEntryId).toBe(b?.id)
  })

  it("gives the same ids each time, and where there are no times others to another session", async () => {
    const ids = (result: ReturnType<typeof migrate>) => values(result).map(({ id }) => id)
    const records = [said("a"), said("b"), said("c")].map((record) => ({ ...record, timestamp: undefined }))
    const first = ids(await migrated(V1_HEADER, ...records))
    expect(ids(await migrated(V1_HEADER, ...records))).toEqual(first)
    expect(ids(await migrated({ ...V1_HEADER, id: "another" }, ...records))).not.toEqual(first)
  })

  it("gives what a branch copied the ids of its origin", async () => {
    const at = (text: string, second: number) => ({ ...said(text), timestamp: `2026-01-01T00:00:0${second}.000Z` })
    const copied = [at("a", 1), at("b", 2)]
    const ids = async (header: object, ...records: object[]) =>
      values(await migrated(header, ...copied, ...records)).map(({ id }) => id)
    const origin = await ids(V1_HEADER, at("c", 3))
    const branch = await ids({ ...V1_HEADER, id: "another" }, at("d", 4))
    expect(branch.slice(0, 2)).toEqual(origin.slice(0, 2))
    expect(branch[2]).not.toBe(origin[2])
  })

  it("renames the legacy role too", async () => {
    const [value] = values(
      await migrated(V1_HEADER, { type: "message", message: { role: "hookMessage", content: "h" } }),
    )
    expect(value?.message).toEqual({ role: "custom", content: "h" })
  })

  it("says what it did", async () => {
    const { report } = await migrated(V1_HEADER, said("a"), { type: "message", message: { role: "hookMessage" } })
    expect(report).toEqual({
      from: 1,
      to: 3,
      steps: [
        { from: 1, to: 2, changed: 2 },
        { from: 2, to: 3, changed: 1 },
      ],
      diagnostics: [],
    })
  })

  it("gives any list of records a valid chain, and loses no field", async () => {
    await fc.assert(
      fc.asyncProperty(v1Session, async ({ header, records }) => {
        const result = await migrated(header, ...records)
        const entries = values(result) as unknown as SessionEntry[]
        const tree = new EntryTree(entries)
        expect(tree.faults()).toEqual([])
        expect(entries.length === 0 ? [] : tree.pathTo(entries.length - 1)).toEqual([...entries.keys()])
        for (const [index, record] of records.entries())
          expect(JSON.stringify(ownFields(values(result)[index] ?? {}))).toBe(JSON.stringify(ownFields(record)))
        const kept = entries.filter((one) => one.type === "compaction" && "firstKeptEntryId" in one)
        for (const one of kept) expect(tree.has((one as { firstKeptEntryId: string }).firstKeptEntryId)).toBe(true)
      }),
    )
  })
})

describe("migration of version 2", () => {
  const hook = entry("message", "aaaaaaaa", null, { message: { role: "hookMessage", customType: "h", content: "x" } })
  const other = entry("custom", "bbbbbbbb", "aaaaaaaa", { role: "hookMessage", data: { role: "hookMessage" } })

  it("renames the role `hookMessage` of messages to `custom`, and nothing else", async () => {
    const log = await logOf(testHeader({ version: 2 }), hook, other)
    const result = migrate(log)
    expect(result.header.version).toBe(3)
    expect(result.records[0]?.value).toEqual({ ...hook, message: { role: "custom", customType: "h", content: "x" } })
    expect(result.records[1]).toBe(log.records[1])
    expect(result.report).toMatchObject({ from: 2, to: 3, steps: [{ from: 2, to: 3, changed: 1 }] })
  })

  it("is not misled by messages that are none", async () => {
    const broken = [null, "text", 7, [], { role: 5 }].map((message, index) =>
      entry("message", `${index}`, null, { message }),
    )
    expect(values(await migrated(testHeader({ version: 2 }), ...broken))).toEqual(broken)
  })
})

describe("migration of what is up to date or unknown", () => {
  it("gives back the very same records, and no report", async () => {
    for (const version of [3, 4, "3"]) {
      const log = await logOf({ ...testHeader(), version }, said("a"))
      const result = migrate(log)
      expect(result.report).toBeUndefined()
      expect(result.header).toBe(log.header)
      expect(result.records).toBe(log.records)
    }
  })
})

/** What migration neither gives nor takes, with the legacy role under its new name. */
function ownFields(record: Record<string, unknown>): object {
  const { id: _, parentId: _parent, firstKeptEntryId: _kept, firstKeptEntryIndex: _index, ...own } = record
  const { message } = own as { message?: { role?: unknown } }
  return message?.role === "hookMessage" ? { ...own, message: { ...message, role: "custom" } } : own
}
