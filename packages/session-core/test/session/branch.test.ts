import {
  assistantMessage,
  entry,
  sessionText,
  testHeader,
  testTime,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { CWD, givenManager, idsOf, keyOf } from "./given-manager.js"
import { putStored } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const notFound = expect.objectContaining({ code: "EntryNotFoundError" })

async function givenStored(...entries: object[]) {
  const given = givenManager()
  await putStored(given.storage, KEY, sessionText(testHeader(), ...entries))
  return { ...given, session: await given.sessions.open(KEY) }
}

async function reopened(given: ReturnType<typeof givenManager>, session: { close(): Promise<void> }, key: string) {
  await session.close()
  return given.sessions.open(key)
}

describe("the leaf", () => {
  it("moves with `branch`, which adds nothing; the next append goes under it", () => {
    const session = givenManager().sessions.inMemory()
    const root = session.appendMessage(userMessage("a"))
    session.appendMessage(assistantMessage("b"))
    session.branch(root)
    expect([session.getLeafId(), session.getEntries().length]).toEqual([root, 2])
    const other = session.appendMessage(assistantMessage("c"))
    expect(session.getEntry(other)).toMatchObject({ parentId: root })
    expect(idsOf(session.getBranch())).toEqual([root, other])
    expect(session.getChildren(root)).toHaveLength(2)
  })

  it("stays where it is when `branch` names an unknown entry", () => {
    const session = givenManager().sessions.inMemory()
    const root = session.appendMessage(userMessage("a"))
    expect(() => session.branch("gone")).toThrow(notFound)
    expect(session.getLeafId()).toBe(root)
  })

  it("is null after `resetLeaf`, and the next append is a new root", () => {
    const session = givenManager().sessions.inMemory()
    session.appendMessage(userMessage("a"))
    session.resetLeaf()
    expect([session.getLeafId(), session.getLeafEntry(), session.getBranch()]).toEqual([null, undefined, []])
    expect(session.buildSessionContext().messages).toEqual([])
    const second = session.appendMessage(userMessage("b"))
    expect(session.getEntry(second)).toMatchObject({ parentId: null })
    expect(session.getTree()).toHaveLength(2)
  })

  it("is the last entry of the file after loading", async () => {
    const { session } = await givenStored(userEntry("a", null), userEntry("b", "a"), userEntry("c", "a"))
    expect(session.getLeafId()).toBe("c")
  })

  it("is where a leaf entry of the file says, null included", async () => {
    const entries = [userEntry("a", null), userEntry("b", "a")]
    const { session } = await givenStored(...entries, entry("leaf", "l", "b", { targetId: "a" }))
    expect(session.getLeafId()).toBe("a")
    const nowhere = await givenStored(...entries, entry("leaf", "l", "b", { targetId: null }))
    expect(nowhere.session.getLeafId()).toBeNull()
  })

  it("follows what stands behind a leaf entry", async () => {
    const leaf = entry("leaf", "l", "b", { targetId: "a" })
    const { session } = await givenStored(userEntry("a", null), userEntry("b", "a"), leaf, userEntry("c", "a"))
    expect(session.getLeafId()).toBe("c")
  })

  it("finds the target of a leaf entry further on in the file", async () => {
    const { session } = await givenStored(
      entry("leaf", "l", null, { targetId: "later" }),
      userEntry("later", null),
      entry("leaf", "m", null, { targetId: "l" }),
    )
    expect([session.getLeafId(), session.getDiagnostics()]).toEqual(["l", []])
  })

  it("stays when a leaf entry points nowhere, which is reported with its place", async () => {
    for (const targetId of ["gone", { toString: 1 }, undefined]) {
      const { session } = await givenStored(userEntry("a", null), entry("leaf", "l", "a", { targetId }))
      expect(session.getLeafId()).toBe("a")
      expect(session.getDiagnostics()).toMatchObject([
        { kind: "unknown-leaf-target", entryId: "l", line: 3, offset: expect.any(Number) },
      ])
    }
  })
})

describe("what survives a reload", () => {
  it("is every append, in order, with its place in the tree", async () => {
    const given = givenManager()
    const session = await given.sessions.create(CWD)
    const a = session.appendMessage(userMessage("a"))
    session.appendMessage(assistantMessage("b"))
    session.branch(a)
    session.appendMessage(userMessage("c"))
    session.appendLabelChange(a, "here")
    session.appendSessionInfo("named")
    const again = await reopened(given, session, keyOf(session))
    expect(again.getEntries()).toEqual(session.getEntries())
    expect(again.getHeader()).toEqual(session.getHeader())
    expect(again.getTree()).toEqual(session.getTree())
    expect([again.getLabel(a), again.getSessionName(), again.getLeafId()]).toEqual([
      "here",
      "named",
      session.getLeafId(),
    ])
    expect(again.buildSessionContext()).toEqual(session.buildSessionContext())
  })

  it("is not a bare `branch`, unless the leaf is persisted", async () => {
    const given = givenManager()
    const session = await given.sessions.create(CWD)
    const a = session.appendMessage(userMessage("a"))
    const b = session.appendMessage(assistantMessage("b"))
    session.branch(a)
    const bare = await reopened(given, session, keyOf(session))
    expect(bare.getLeafId()).toBe(b)
    bare.branch(a)
    const mark = bare.persistLeaf()
    expect(bare.getEntry(mark)).toMatchObject({ type: "custom", customType: "treelog.leaf", parentId: a })
    const kept = await reopened(given, bare, keyOf(session))
    expect(kept.getLeafId()).toBe(mark)
    expect(kept.buildSessionContext().entries).toEqual([a])
  })

  it("is a new root after `resetLeaf`", async () => {
    const given = givenManager()
    const session = await given.sessions.create(CWD)
    session.appendMessage(userMessage("a"))
    session.resetLeaf()
    const mark = session.persistLeaf()
    const again = await reopened(given, session, keyOf(session))
    expect(again.getEntry(mark)).toMatchObject({ parentId: null })
    expect(again.buildSessionContext().messages).toEqual([])
  })

  it("is a branch with its summary", async () => {
    const given = givenManager()
    const session = await given.sessions.create(CWD)
    const a = session.appendMessage(userMessage("a"))
    const b = session.appendMessage(assistantMessage("b"))
    const summary = session.branchWithSummary(a, "was there", { files: [] }, true)
    const again = await reopened(given, session, keyOf(session))
    expect(again.getEntry(summary)).toMatchObject({
      type: "branch_summary",
      parentId: a,
      fromId: b,
      summary: "was there",
      details: { files: [] },
      fromHook: true,
      fromExtension: true,
    })
    expect(again.getLeafId()).toBe(summary)
    expect(again.buildSessionContext().entries).toEqual([a, summary])
  })
})

describe("branchWithSummary", () => {
  it("to null makes a root, and comes from `root` where there was no leaf", () => {
    const session = givenManager().sessions.inMemory()
    const first = session.branchWithSummary(null, "nothing yet")
    expect(session.getEntry(first)).toMatchObject({ parentId: null, fromId: "root" })
    const second = session.branchWithSummary(null, "one")
    expect(session.getEntry(second)).toMatchObject({ parentId: null, fromId: first })
  })

  it("to an unknown entry adds nothing", () => {
    const session = givenManager().sessions.inMemory()
    const a = session.appendMessage(userMessage("a"))
    expect(() => session.branchWithSummary("gone", "s")).toThrow(notFound)
    expect([session.getLeafId(), session.getEntries().length]).toEqual([a, 1])
  })
})

describe("looking at the tree of a session", () => {
  it("answers for unknown ids with nothing", () => {
    const session = givenManager().sessions.inMemory()
    session.appendMessage(userMessage("a"))
    expect([session.getEntry("x"), session.getChildren("x"), session.getBranch("x"), session.getLabel("x")]).toEqual([
      undefined,
      [],
      [],
      undefined,
    ])
    expect(() => session.buildSessionContext({ leafId: "x" })).toThrow(notFound)
  })

  it("gives the branch and context of any entry, and of null", () => {
    const session = givenManager().sessions.inMemory()
    const a = session.appendMessage(userMessage("a"))
    session.appendMessage(userMessage("b"))
    expect(idsOf(session.getBranch(a))).toEqual([a])
    expect(session.buildSessionContext({ leafId: a }).entries).toEqual([a])
    expect(session.buildSessionContext({ leafId: null }).entries).toEqual([])
    expect(session.buildTranscript(a)).toHaveLength(1)
    expect(session.buildTranscript()).toHaveLength(2)
  })

  it("gives children by time", async () => {
    const late = { ...userEntry("late", "a"), timestamp: testTime(9) }
    const { session } = await givenStored(userEntry("a", null), late, userEntry("soon", "a"))
    expect(idsOf(session.getChildren("a"))).toEqual(["soon", "late"])
  })

  it("opens every kind of broken tree, names each fault with its line, and goes on from there", async () => {
    const { session } = await givenStored(
      userEntry("a", null),
      userEntry("twin", "a"),
      userEntry("twin", "a"),
      userEntry("orphan", "gone"),
      userEntry("self", "self"),
      userEntry("x", "y"),
      userEntry("y", "x"),
      userEntry("child", "parent"),
      userEntry("parent", "a"),
      testHeader({ id: "second" }),
    )
    const faults = session.getDiagnostics().map(({ kind, line, entryId }) => [kind, line, entryId])
    expect(faults).toEqual([
      ["extra-header", 11, undefined],
      ["duplicate-id", 3, "twin"],
      ["missing-parent", 5, "orphan"],
      ["self-parent", 6, "self"],
      ["cycle", 7, "x"],
    ])
    expect(session.getEntries()).toHaveLength(9)
    const next = session.appendMessage(userMessage("next"))
    expect(idsOf(session.getBranch(next))).toEqual(["a", "parent", next])
    expect(idsOf(session.getBranch("y"))).toEqual(["x", "y"])
  })
})
