import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SessionEntry } from "@treelog/session-core"
import { afterAll, describe, expect, it } from "vitest"
import { TreelogSessionManager as SessionManager } from "./door.js"

const dir = mkdtempSync(join(tmpdir(), "treelog-pi-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const text = (content: string) => [{ type: "text", text: content }]
const user = (content: string) => ({ role: "user", content, timestamp: 1 })
const assistant = (content: string) => ({
  role: "assistant",
  content: text(content),
  provider: "p",
  model: "m",
  timestamp: 2,
})

describe("the members that pi has from 1.x on", () => {
  it("create a session with an id, which is found by it, and refuse one that is no name", () => {
    const manager = SessionManager.create("/project", dir, { id: "chosen" })
    manager.appendMessage(user("a"))
    manager.appendMessage(assistant("b"))
    expect(SessionManager.findById("/project", "chosen", dir)).toBe(manager.getSessionFile())
    expect(SessionManager.findById("/project", "other", dir)).toBeUndefined()
    expect(() => SessionManager.create("/project", dir, { id: "../x" })).toThrow(/^Session id must be non-empty/)
    expect(readdirSync(dir).filter((name) => name.endsWith(".jsonl"))).toHaveLength(1)
  })

  it("edit a message of the context, and only one of the active branch", () => {
    const manager = SessionManager.inMemory("/project")
    const question = manager.appendMessage(user("a long question"))
    const answer = manager.appendMessage(assistant("a long answer"))
    manager.appendContextEdit(answer, { content: "short" })
    manager.appendContextEdit(question, null)
    expect(manager.buildSessionContext().messages).toEqual([{ ...assistant("a long answer"), content: text("short") }])
    expect(manager.buildSessionProjection().entries.map(({ messages }) => messages.length)).toEqual([0, 1, 0, 0])
    const change = manager.appendModelChange("p", "m")
    expect(() => manager.appendContextEdit(change, null)).toThrow("does not contribute editable model content")
    const migrated = manager.appendMessage({ role: "custom", customType: "hook", content: "once a hook message" })
    expect(() => manager.appendContextEdit(migrated, null)).toThrow("does not contribute editable model content")
    manager.branch(question)
    expect(() => manager.appendContextEdit(answer, null)).toThrow(`Entry ${answer} is not on the active branch`)
    expect(() => manager.appendContextEdit(question, 1 as never)).toThrow("must be null or contain")
  })

  it("compact with the system messages of the context as one, and keep what is asked for", () => {
    const manager = SessionManager.inMemory("/project")
    const tool = { name: "read" }
    manager.appendMessage({ role: "system", content: "Be brief.", toolsAdded: [tool, { name: "bash" }], timestamp: 1 })
    manager.appendMessage(user("a"))
    manager.appendMessage({ role: "system", content: "And kind.", toolsRemoved: [{ name: "bash" }], timestamp: 2 })
    const kept = manager.appendMessage(assistant("b"))
    const id = manager.appendCompaction("Done.", kept, 10, undefined, undefined, { totalTokens: 3 })
    expect(manager.getEntry(id)).toMatchObject({
      firstKeptEntryId: kept,
      usage: { totalTokens: 3 },
      systemMessage: { role: "system", content: "Be brief.\n\nAnd kind.", toolsAdded: [tool] },
    })
    const { entries, messages } = manager.buildSessionProjection()
    expect(entries.map(({ sourceEntry }) => sourceEntry.id)).toEqual([id, kept])
    expect(messages).toMatchObject([{ role: "system" }, { role: "compactionSummary" }, { role: "assistant" }])
    const change = manager.appendMessage({ role: "system", content: "Be quick.", timestamp: 3 })
    const again = manager.getEntry(manager.appendCompaction("More.", change, 10))
    expect(again).toMatchObject({ systemMessage: { content: "Be brief.\n\nAnd kind.\n\nBe quick." } })
    expect(manager.buildSessionContext().messages.filter((message) => Object(message).role === "system")).toHaveLength(
      1,
    )
    const nothing = manager.appendCompaction("All of it.", null, 10)
    expect(manager.getEntry(nothing)).toMatchObject({
      systemMessage: { content: "Be brief.\n\nAnd kind.\n\nBe quick." },
    })
    expect(manager.buildContextEntries().map((entry) => entry.id)).toEqual([nothing])
  })

  it("use the default folder only where they have one", () => {
    expect(SessionManager.create("/project", dir).usesDefaultSessionDir()).toBe(false)
    expect(SessionManager.inMemory("/project").usesDefaultSessionDir()).toBe(false)
  })

  it("record usage, count entries, and start in memory with those of another session", () => {
    const manager = SessionManager.inMemory("/project")
    manager.appendMessage(user("a"))
    expect(manager.appendUsage("cache_warm", "p", "m", { input: 1 })).toMatchObject({
      type: "usage",
      kind: "cache_warm",
    })
    expect(manager.getEntryCount()).toBe(2)
    const copy = SessionManager.inMemory("/project", {}, [manager.getHeader(), ...manager.getEntries()])
    expect(copy.getSessionId()).toBe(manager.getSessionId())
    expect(copy.getEntries()).toEqual(manager.getEntries())
    expect(copy.getLeafId()).toBe(manager.getLeafId())
  })

  it("keep the header that they start with in memory, and bring older versions to the current one", () => {
    const header = { type: "session" as const, id: "old one", timestamp: "2025-01-01T00:00:00.000Z", cwd: "/before" }
    const hook = { type: "message", timestamp: "x", message: { role: "hookMessage", content: "a" } }
    const compaction = { type: "compaction", timestamp: "x", summary: "s", tokensBefore: 1, firstKeptEntryIndex: 1 }
    const given = [{ ...header, parentSession: "/p.jsonl" }, hook, compaction] as unknown as SessionEntry[]
    const manager = SessionManager.inMemory("/project", { id: "not-this" }, given)
    expect(manager.getHeader()).toEqual({ ...given[0], version: 3 })
    expect([manager.getSessionId(), manager.getCwd()]).toEqual(["old one", "/project"])
    const [first, second] = manager.getEntries()
    expect(first).toMatchObject({ parentId: null, message: { role: "custom", content: "a" } })
    expect(second).toMatchObject({ parentId: first?.id, firstKeptEntryId: first?.id })
    const version2 = [
      { ...header, version: 2 },
      { ...hook, id: "a", parentId: null },
    ] as unknown as SessionEntry[]
    const [custom] = SessionManager.inMemory("/project", {}, version2).getEntries()
    expect(custom).toEqual({ ...hook, id: "a", parentId: null, message: { role: "custom", content: "a" } })
    manager.newSession()
    expect(manager.getHeader()).toMatchObject({ cwd: "/project", version: 3 })
  })

  it("leave null in the content of roles that need none, in the context and in its projection", () => {
    const manager = SessionManager.inMemory("/project")
    for (const role of ["custom", "branchSummary", "user", "assistant", "toolResult", "system"])
      manager.appendMessage({ role, content: null })
    manager.appendMessage({ role: "custom", content: [] })
    const contents = [null, null, [], [], [], "", []]
    const of = (messages: readonly unknown[]) => messages.map((message) => Object(message).content)
    expect(of(manager.buildSessionContext().messages)).toEqual(contents)
    expect(of(manager.buildSessionProjection().messages)).toEqual(contents)
  })

  it("pass on the sessions of a list that were found so far", async () => {
    const folder = join(dir, "parts")
    for (const [timestamp, name] of ["a", "b", "c"].entries()) {
      const manager = SessionManager.create(name === "c" ? "/elsewhere" : "/project", folder)
      manager.appendMessage({ ...user(name), timestamp: 10 + timestamp })
      manager.appendMessage(assistant("yes"))
    }
    const seen: [number, number, number | undefined][] = []
    const list = await SessionManager.list("/project", folder, (loaded, total, part) => {
      seen.push([loaded, total, part?.length])
      for (const info of part ?? []) expect(info.cwd).toBe("/project")
    })
    expect(list.map(({ firstMessage }) => firstMessage)).toEqual(["b", "a"])
    expect(seen.map(([loaded, total]) => [loaded, total])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    expect(seen[0]?.[2]).toBeLessThanOrEqual(1)
    const stopped = AbortSignal.abort(new Error("stopped"))
    await expect(SessionManager.list("/project", join(dir, "none"), undefined, stopped)).rejects.toThrow("stopped")
  })
})
