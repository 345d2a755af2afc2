import type { SessionEntry } from "@treelog/session-core"
import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { assistantMessage, idsBeginningWith, TEST_START, testTime, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager, idsOf, keyOf } from "./given-manager.js"
import { storedRecords } from "./stored-bytes.js"

const inMemory = () => givenManager().sessions.inMemory("/project")

describe("an append", () => {
  it("makes one entry under the leaf, and makes it the leaf", () => {
    const session = inMemory()
    const first = session.appendMessage(userMessage("a"))
    const second = session.appendMessage(assistantMessage("b"))
    expect(session.getEntries()).toMatchObject([
      { type: "message", id: first, parentId: null },
      { type: "message", id: second, parentId: first },
    ])
    expect(session.getLeafId()).toBe(second)
    expect(session.getLeafEntry()).toBe(session.getEntry(second))
  })

  it("takes id and time from where they come, 8 hex digits and ISO", () => {
    const session = inMemory()
    const id = session.appendMessage(userMessage("a"))
    expect(id).toBe("00000001")
    expect(session.getEntry(id)?.timestamp).toBe(testTime(1))
  })

  it("gives a message without a time that of the session's clock, and leaves any other as it is", () => {
    const session = inMemory()
    const messages = [{ role: "user", content: "a" }, userMessage("b")]
    for (const message of messages) session.appendMessage(message)
    const [stamped, kept] = session.buildSessionContext().messages
    expect(stamped).toEqual({ role: "user", content: "a", timestamp: Date.parse(testTime(1)) })
    expect(kept).toBe(messages[1])
    expect(messages[0]).toEqual({ role: "user", content: "a" })
  })

  it("looks for an id that no entry has, and takes a long one when 100 are taken", () => {
    const ids = idsBeginningWith("same", "same", "other", ...Array(100).fill("same"))
    const session = new SessionManager({ storage: new MemorySessionStorage(), ids }).inMemory()
    const given = [1, 2, 3].map(() => session.appendCustomEntry("x"))
    expect(given).toEqual(["same", "other", "00000000-0000-4000-8000-000000000001"])
  })

  it("writes model changes for every reader", () => {
    const session = inMemory()
    const [plain, role] = [session.appendModelChange("p", "m/x"), session.appendModelChange("q", "y", "smol")]
    expect(session.getEntry(plain)).toMatchObject({ provider: "p", modelId: "m/x", model: "p/m/x", role: "default" })
    expect(session.getEntry(role)).toMatchObject({ provider: "q", modelId: "y", model: "q/y", role: "smol" })
    expect(session.buildSessionContext()).toMatchObject({
      model: { provider: "p", modelId: "m/x" },
      models: { default: "p/m/x", smol: "q/y" },
    })
  })

  it("writes each kind with its own fields, and none that was not given", () => {
    const session = inMemory()
    const made: [string, object][] = [
      [session.appendThinkingLevelChange("high"), { type: "thinking_level_change", thinkingLevel: "high" }],
      [session.appendThinkingLevelChange(null), { type: "thinking_level_change", thinkingLevel: null }],
      [session.appendCustomEntry("note"), { type: "custom", customType: "note" }],
      [session.appendCustomEntry("note", { a: 1 }), { type: "custom", customType: "note", data: { a: 1 } }],
      [
        session.appendCustomMessageEntry("m", "hi", true),
        { type: "custom_message", customType: "m", content: "hi", display: true },
      ],
      [
        session.appendCustomMessageEntry("m", [], false, { d: 1 }, { attribution: "me" }),
        { type: "custom_message", customType: "m", content: [], display: false, details: { d: 1 }, attribution: "me" },
      ],
      [
        session.append({ type: "mode_change", mode: "plan", data: { f: 1 } }),
        { type: "mode_change", mode: "plan", data: { f: 1 } },
      ],
      [session.append({ type: "mode_change", mode: "none" }), { type: "mode_change", mode: "none" }],
      [
        session.append({ type: "ttsr_injection", injectedRules: ["r"] }),
        { type: "ttsr_injection", injectedRules: ["r"] },
      ],
      [
        session.append({ type: "session_init", systemPrompt: "s", task: "t", tools: ["x"] }),
        { type: "session_init", systemPrompt: "s", task: "t", tools: ["x"] },
      ],
      [session.appendSessionInfo("  name "), { type: "session_info", name: "name" }],
    ]
    for (const [id, fields] of made) {
      const { id: _, parentId: _parent, timestamp: _time, ...own } = session.getEntry(id) as SessionEntry
      expect(own).toStrictEqual(fields)
    }
  })

  it("of a compaction carries the marks of both worlds, and the settings at its place", () => {
    const session = inMemory()
    const first = session.appendMessage(assistantMessage("a", { provider: "p", model: "m" }))
    session.appendThinkingLevelChange("low")
    session.append({ type: "mode_change", mode: "plan", data: { f: 1 } })
    const id = session.appendCompaction("sum", first, 99, { files: 1 }, true, { shortSummary: "s" })
    expect(session.getEntry(id)).toMatchObject({
      summary: "sum",
      firstKeptEntryId: first,
      tokensBefore: 99,
      details: { files: 1 },
      fromHook: true,
      fromExtension: true,
      shortSummary: "s",
      settings: {
        thinkingLevel: "low",
        model: { provider: "p", modelId: "m" },
        models: { default: "p/m" },
        mode: "plan",
        modeData: { f: 1 },
        injectedTtsrRules: [],
        defaultModelIsExplicit: false,
      },
    })
    const { settings } = session.getEntry(id) as unknown as { settings: { defaultModelIsExplicit: boolean } }
    const { defaultModelIsExplicit: _, ...expected } = settings
    expect(session.buildSessionContext()).toMatchObject(expected)
  })

  it("of a compaction that keeps nothing names itself, and one without an extension bears no mark", () => {
    const session = inMemory()
    session.appendMessage(userMessage("a"))
    const id = session.appendCompaction("sum", undefined, 1)
    expect(session.getEntry(id)).toMatchObject({ firstKeptEntryId: id })
    expect(session.getEntry(id)).not.toHaveProperty("fromHook")
    expect(session.buildSessionContext()).toMatchObject({ entries: [id], diagnostics: [] })
  })

  it("refuses a compaction that keeps from an unknown entry", () => {
    const session = inMemory()
    expect(() => session.appendCompaction("sum", "gone", 1)).toThrow(
      expect.objectContaining({ code: "EntryNotFoundError" }),
    )
    expect(session.getEntries()).toEqual([])
  })

  it("refuses what is no message", () => {
    const session = inMemory()
    for (const message of [null, "text", {}, { role: 5 }, []])
      expect(() => session.appendMessage(message as never)).toThrow(
        expect.objectContaining({ code: "InvalidArgumentError" }),
      )
    expect([session.getEntries(), session.getLeafId()]).toEqual([[], null])
  })

  it("that cannot be serialized changes nothing in memory, and poisons nothing", async () => {
    const { sessions, storage } = givenManager()
    const session = await sessions.create("/project")
    const first = session.appendMessage(userMessage("a"))
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    const refused = expect.objectContaining({ code: "UnserializableEntryError" })
    expect(() => session.appendCustomEntry("x", { big: 1n })).toThrow(refused)
    expect(() => session.appendMessage({ role: "user", content: "b", timestamp: 0, cycle } as never)).toThrow(refused)
    expect(() => session.appendCompaction("s", first, 1, cycle)).toThrow(refused)
    expect(() => session.branchWithSummary(null, "s", 1n)).toThrow(refused)
    expect([idsOf(session.getEntries()), session.getLeafId()]).toEqual([[first], first])
    const next = session.appendMessage(userMessage("b"))
    await session.close()
    expect((await storedRecords(storage, keyOf(session))).slice(1)).toMatchObject([
      { id: first },
      { id: next, parentId: first },
    ])
  })

  it("keeps odd keys as data", () => {
    const session = inMemory()
    const data = JSON.parse('{"__proto__":{"polluted":1},"7":1}')
    const id = session.appendCustomEntry("x", data)
    expect(JSON.stringify((session.getEntry(id) as unknown as { data: unknown }).data)).toBe(JSON.stringify(data))
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe("a label", () => {
  it("is set on an entry, the last one wins, and clearing removes it", () => {
    const session = inMemory()
    const id = session.appendMessage(userMessage("a"))
    session.appendLabelChange(id, "one")
    session.appendLabelChange(id, "two")
    expect(session.getLabel(id)).toBe("two")
    expect(session.getTree()[0]).toMatchObject({ label: "two", labelTimestamp: testTime(3) })
    session.appendLabelChange(id, undefined)
    expect(session.getLabel(id)).toBeUndefined()
    session.appendLabelChange(id, "again")
    session.appendLabelChange(id, "")
    expect(session.getLabel(id)).toBeUndefined()
  })

  it("is for the whole file, whichever branch it stands on", () => {
    const session = inMemory()
    const root = session.appendMessage(userMessage("a"))
    session.appendLabelChange(root, "here")
    session.branch(root)
    session.appendMessage(userMessage("b"))
    expect(session.getLabel(root)).toBe("here")
  })

  it("on an unknown entry is refused", () => {
    const session = inMemory()
    expect(() => session.appendLabelChange("gone", "x")).toThrow(
      expect.objectContaining({ code: "EntryNotFoundError", data: { id: "gone", session: session.getSessionId() } }),
    )
    expect(session.getEntries()).toEqual([])
  })
})

describe("a name", () => {
  it("is the one that was given last, and empty clears it", () => {
    const session = inMemory()
    expect(session.getSessionName()).toBeUndefined()
    session.appendSessionInfo("one")
    session.appendSessionInfo("two")
    expect(session.getSessionName()).toBe("two")
    session.appendSessionInfo("")
    expect(session.getSessionName()).toBeUndefined()
  })
})

describe("a session in memory", () => {
  it("has a header, and nothing that is stored", async () => {
    const { sessions, storage } = givenManager()
    const session = sessions.inMemory("/project", { id: "mine", parentSession: "from" })
    expect(session.getHeader()).toEqual({
      type: "session",
      version: 3,
      id: "mine",
      timestamp: new Date(TEST_START).toISOString(),
      cwd: "/project",
      parentSession: "from",
    })
    expect([session.getSessionId(), session.getCwd(), session.isPersisted(), session.pending]).toEqual([
      "mine",
      "/project",
      false,
      0,
    ])
    expect([session.getSessionFile(), session.getSessionDir()]).toEqual([undefined, undefined])
    session.appendMessage(userMessage("a"))
    await session.flush()
    await session.retry()
    expect(await session.refresh()).toEqual([])
    for await (const { key } of storage.list()) throw new Error(`${key} was stored`)
  })

  it("takes no entry after it was closed", async () => {
    const session = inMemory()
    await session.close()
    await session.close()
    expect(() => session.appendMessage(userMessage("a"))).toThrow(
      expect.objectContaining({ code: "SessionClosedError" }),
    )
    await expect(session.flush()).rejects.toMatchObject({ code: "SessionClosedError" })
    expect(session.getEntries()).toEqual([])
  })

  it("gives copies of its list, so that nobody changes it from outside", () => {
    const session = inMemory()
    session.appendMessage(userMessage("a"))
    session.getEntries().pop()
    expect(session.getEntries()).toHaveLength(1)
  })
})
