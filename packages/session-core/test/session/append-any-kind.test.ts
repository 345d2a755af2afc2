import { contentText } from "@treelog/session-core"
import { assistantMessage, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { CWD, givenManager, idsOf, keyOf } from "./given-manager.js"

const inMemory = () => givenManager().sessions.inMemory(CWD)

const refused = (argument: string) =>
  expect.objectContaining({ code: "InvalidArgumentError", data: expect.objectContaining({ argument }) })

describe("append", () => {
  it("takes kinds without a method of their own, and unknown ones, and stores them as they are", async () => {
    const { sessions } = givenManager()
    const session = await sessions.create(CWD)
    const target = session.appendMessage(userMessage("a"))
    const edit = session.append({ type: "context_edit", targetId: target, replacement: { content: "b" } })
    const usage = session.append({ type: "usage", provider: "p", model: "m", absent: undefined })
    const unknown = session.append({ type: "my-kind", deep: { list: [1, null] } })
    const named = session.append(JSON.parse('{"type":"x","__proto__":{"a":1}}'))
    expect(session.getEntry(edit)).toMatchObject({ parentId: target, targetId: target })
    expect(session.getLeafId()).toBe(named)
    const [message] = session.buildSessionContext().messages
    expect(message && "content" in message && contentText(message.content)).toBe("b")
    await session.close()
    const again = await sessions.open(keyOf(session), { access: "read" })
    expect(again.getEntries()).toEqual(session.getEntries())
    expect(again.getEntry(usage)).toEqual({
      type: "usage",
      id: usage,
      parentId: edit,
      timestamp: again.getEntry(usage)?.timestamp,
      provider: "p",
      model: "m",
    })
    expect(again.getEntry(unknown)).toMatchObject({ type: "my-kind", deep: { list: [1, null] } })
    expect(JSON.stringify(again.getEntry(named))).toContain('"__proto__":{"a":1}')
  })

  it("refuses what is no new entry, and adds nothing then", () => {
    const session = inMemory()
    const wrong: unknown[] = [null, [], "usage", {}, { type: 5 }, { type: "" }, { type: "session" }, { type: "title" }]
    for (const field of ["id", "parentId", "timestamp"])
      wrong.push({ type: "x", [field]: null }, { type: "x", [field]: "a" })
    for (const entry of wrong) expect(() => session.append(entry as never)).toThrow(refused("entry"))
    expect(() => session.append({ type: "message", message: { text: "a" } })).toThrow(refused("message"))
    expect(session.getEntries()).toEqual([])
    expect(idsOf([session.getEntry(session.append({ type: "x", id: undefined })) as never])).toHaveLength(1)
  })

  it("refuses a reference to an entry that is not there", () => {
    const session = inMemory()
    session.appendMessage(userMessage("a"))
    for (const entry of [
      { type: "context_edit", targetId: "gone", replacement: null },
      { type: "label", targetId: "gone", label: "l" },
      { type: "leaf", targetId: "gone" },
      { type: "compaction", summary: "s", firstKeptEntryId: "gone", tokensBefore: 1 },
    ])
      expect(() => session.append(entry)).toThrow(expect.objectContaining({ code: "EntryNotFoundError" }))
    expect(session.getEntries()).toHaveLength(1)
  })

  it("moves the leaf as a reload does after a leaf entry", async () => {
    const { sessions } = givenManager()
    const session = await sessions.create(CWD)
    const first = session.appendMessage(userMessage("a"))
    session.appendMessage(assistantMessage("b"))
    session.append({ type: "leaf", targetId: first })
    expect(session.getLeafId()).toBe(first)
    await session.close()
    expect((await sessions.open(keyOf(session), { access: "read" })).getLeafId()).toBe(first)
    const other = inMemory()
    other.appendMessage(userMessage("a"))
    other.append({ type: "leaf", targetId: null })
    expect(other.getLeafId()).toBeNull()
  })
})

describe("a session in memory with entries", () => {
  it("is the session that they were taken from", () => {
    const source = inMemory()
    const first = source.appendMessage(userMessage("a"))
    source.appendMessage(assistantMessage("b"))
    source.appendLabelChange(first, "start")
    source.appendSessionInfo("name")
    source.branch(first)
    source.persistLeaf()
    const { sessions } = givenManager()
    const copy = sessions.inMemory(CWD, { entries: source.getEntries() })
    expect(copy.getEntries()).toEqual(source.getEntries())
    expect([copy.getLeafId(), copy.getLabel(first), copy.getSessionName(), copy.getDiagnostics()]).toEqual([
      source.getLeafId(),
      "start",
      "name",
      [],
    ])
    expect(copy.buildSessionContext()).toEqual(source.buildSessionContext())
    const next = copy.appendMessage(userMessage("c"))
    expect(source.getEntry(next)).toBeUndefined()
  })

  it("has the header that it is given, and another without", () => {
    const source = inMemory()
    source.appendMessage(userMessage("a"))
    source.appendMessage(assistantMessage("b"))
    const { sessions } = givenManager()
    const given = { header: { ...source.getHeader(), cwd: "/elsewhere" }, entries: source.getEntries() }
    const copy = sessions.inMemory(CWD, given)
    expect([copy.getHeader(), copy.getSessionId(), copy.getCwd()]).toEqual([
      given.header,
      source.getSessionId(),
      "/elsewhere",
    ])
    expect([copy.getEntryCount(), sessions.inMemory(CWD).getEntryCount()]).toEqual([2, 0])
    expect(sessions.inMemory(CWD, { entries: given.entries }).getHeader()).not.toEqual(source.getHeader())
  })

  it("reports what is wrong with their tree, and refuses what is no entry", () => {
    const { sessions } = givenManager()
    const orphan = { type: "x", id: "a", parentId: "gone", timestamp: "" }
    expect(sessions.inMemory(CWD, { entries: [orphan] }).getDiagnostics()).toMatchObject([{ kind: "missing-parent" }])
    for (const wrong of [null, {}, { type: "x" }, { id: "a" }, { type: "session", id: "a" }])
      expect(() => sessions.inMemory(CWD, { entries: [wrong as never] })).toThrow(refused("entries"))
  })
})
