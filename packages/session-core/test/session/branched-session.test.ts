import type { Session, SessionEntry } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import {
  assistantEntry,
  entry,
  sessionText,
  testHeader,
  testTime,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager, idsOf, keyOf } from "./given-manager.js"
import { putStored, storedRecords, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const label = (id: string, parentId: string, targetId: string, text?: string) =>
  entry("label", id, parentId, { targetId, ...(text !== undefined && { label: text }) })
const compaction = (id: string, parentId: string, firstKeptEntryId: string) =>
  entry("compaction", id, parentId, { summary: "s", firstKeptEntryId, tokensBefore: 1 })

async function given(...records: (object | string)[]) {
  const made = givenManager()
  const text = sessionText(...records)
  await putStored(made.storage, KEY, text)
  return { ...made, text, session: await made.sessions.open(KEY) }
}

const withHeader = (...entries: object[]) => given(testHeader(), ...entries)

/** The path to the leaf, without what the branch itself wrote behind `leafId`. */
function pathTo(session: Session, leafId: string): SessionEntry[] {
  const branch = session.getBranch()
  return branch.slice(0, branch.findIndex(({ id }) => id === leafId) + 1)
}

describe("createBranchedSession", () => {
  it("copies the way from the root to the entry, and nothing else", async () => {
    const { session } = await withHeader(
      userEntry("a", null),
      userEntry("b", "a"),
      userEntry("other", "a"),
      userEntry("c", "b"),
    )
    const branch = await session.createBranchedSession("c")
    expect(branch.getEntries()).toEqual([userEntry("a", null), userEntry("b", "a"), userEntry("c", "b")])
    expect(branch.getLeafId()).toBe("c")
  })

  it("has an id and time of its own, the folder and unknown header fields of its source, and names it", async () => {
    const header = testHeader({ "x-own": { deep: 1 }, parentSession: "grandparent", timestamp: testTime(-9) })
    const { session } = await given(header, userEntry("a", null))
    const branch = await session.createBranchedSession("a")
    expect(branch.getHeader()).toMatchObject({ version: 3, cwd: "/project", "x-own": { deep: 1 }, parentSession: KEY })
    expect(branch.getSessionId()).not.toBe("test-session")
    expect(branch.getHeader().timestamp).not.toBe(header.timestamp)
  })

  it("leaves the bytes of its source alone, and the source open", async () => {
    const { session, storage, text } = await withHeader(
      userEntry("a", null),
      label("l", "a", "a", "x"),
      userEntry("b", "l"),
    )
    await session.createBranchedSession("b")
    expect(await storedText(storage, KEY)).toBe(text)
    expect(session.appendMessage(userMessage("on"))).toBeDefined()
    await session.close()
  })

  it("drops label entries, and chains their children to what stood before them", async () => {
    const { session, sessions } = await withHeader(
      userEntry("a", null),
      label("l1", "a", "a", "x"),
      label("l2", "l1", "a"),
      assistantEntry("b", "l2"),
      label("l3", "b", "gone"),
      userEntry("c", "l3"),
    )
    const branch = await session.createBranchedSession("c")
    expect(branch.getEntries()).toMatchObject([
      { id: "a", parentId: null },
      { id: "b", parentId: "a" },
      { id: "c", parentId: "b" },
    ])
    expect(branch.buildSessionContext().entries).toEqual(["a", "b", "c"])
    await branch.close()
    expect((await verifySession(sessions, keyOf(branch))).ok).toBe(true)
  })

  it("drops leaf entries, which speak of the whole tree, in the same way", async () => {
    const leaf = entry("leaf", "l", "a", { targetId: "elsewhere" })
    const { session } = await withHeader(userEntry("a", null), leaf, userEntry("b", "l"), userEntry("elsewhere", null))
    const branch = await session.createBranchedSession("b")
    expect(branch.getEntries()).toMatchObject([{ id: "a" }, { id: "b", parentId: "a" }])
  })

  it("moves a compaction's boundary from a dropped entry to the next that is kept", async () => {
    const { session } = await withHeader(
      userEntry("a", null),
      label("l1", "a", "a"),
      label("l2", "l1", "a"),
      userEntry("b", "l2"),
      compaction("c", "b", "l1"),
    )
    const branch = await session.createBranchedSession("c")
    expect(branch.getEntry("c")).toMatchObject({ firstKeptEntryId: "b", summary: "s", tokensBefore: 1 })
    expect(branch.buildSessionContext()).toMatchObject({ entries: ["c", "b"], diagnostics: [] })
  })

  it("lets a compaction whose boundary was the label before it keep nothing", async () => {
    const { session } = await withHeader(userEntry("a", null), label("l", "a", "a"), compaction("c", "l", "l"))
    const branch = await session.createBranchedSession("c")
    expect(branch.buildSessionContext()).toMatchObject({ entries: ["c"], diagnostics: [] })
  })

  it("keeps other boundaries as they are", async () => {
    const { session } = await withHeader(
      userEntry("a", null),
      compaction("c", "a", "a"),
      compaction("d", "c", "unknown"),
    )
    const branch = await session.createBranchedSession("d")
    expect(branch.getEntry("c")).toMatchObject({ firstKeptEntryId: "a" })
    expect(branch.getEntry("d")).toMatchObject({ firstKeptEntryId: "unknown" })
  })

  it("sets the labels of what it copied again, in one line behind the entry", async () => {
    const { session, sessions } = await withHeader(
      userEntry("a", null),
      userEntry("b", "a"),
      userEntry("other", "a"),
      label("l1", "other", "a", "old"),
      label("l2", "l1", "a", "first"),
      label("l3", "l2", "b", "second"),
      label("l4", "l3", "other", "not here"),
    )
    const branch = await session.createBranchedSession("b")
    expect([branch.getLabel("a"), branch.getLabel("b"), branch.getLabel("other")]).toEqual([
      "first",
      "second",
      undefined,
    ])
    expect(idsOf(pathTo(branch, "b"))).toEqual(["a", "b"])
    const [first, second] = branch.getEntries().slice(2)
    expect([first?.parentId, second?.parentId, branch.getLeafId()]).toEqual(["b", first?.id, second?.id])
    await branch.close()
    const again = await sessions.open(keyOf(branch))
    expect([again.getLabel("a"), again.buildSessionContext().entries]).toEqual(["first", ["a", "b"]])
  })

  it("sets no label that was cleared", async () => {
    const { session } = await withHeader(userEntry("a", null), label("l1", "a", "a", "x"), label("l2", "l1", "a"))
    expect((await session.createBranchedSession("a")).getEntries()).toHaveLength(1)
  })

  it("is of the entry before it where the entry is a label itself, and empty where nothing is left", async () => {
    const { session } = await withHeader(userEntry("a", null), label("l", "a", "a"), label("root", null as never, "a"))
    expect(idsOf((await session.createBranchedSession("l")).getEntries())).toEqual(["a"])
    expect((await session.createBranchedSession("root")).getEntries()).toEqual([])
  })

  describe("and the name", () => {
    const info = (id: string, parentId: string, name: string) => entry("session_info", id, parentId, { name })

    it("is carried where it was given off the path", async () => {
      const { session } = await withHeader(userEntry("a", null), userEntry("b", "a"), info("n", "b", "named"))
      const branch = await session.createBranchedSession("a")
      expect(branch.getSessionName()).toBe("named")
      expect(idsOf(branch.getEntries())[0]).toBe("a")
    })

    it("is carried where the path gives another one", async () => {
      const { session } = await withHeader(
        userEntry("a", null),
        info("n1", "a", "old"),
        userEntry("b", "n1"),
        info("n2", "a", "new"),
      )
      expect((await session.createBranchedSession("b")).getSessionName()).toBe("new")
    })

    it("is not written again where the path gives it, nor where the header does", async () => {
      const onPath = await withHeader(userEntry("a", null), info("n", "a", "named"))
      expect((await onPath.session.createBranchedSession("n")).getEntries()).toHaveLength(2)
      const byHeader = await given(testHeader({ title: "titled" }), userEntry("a", null))
      const branch = await byHeader.session.createBranchedSession("a")
      expect([branch.getSessionName(), branch.getEntries().length]).toEqual(["titled", 1])
    })

    it("stays cleared where it was cleared off the path", async () => {
      const onPath = await withHeader(
        userEntry("a", null),
        info("n1", "a", "old"),
        userEntry("b", "n1"),
        info("n2", "b", ""),
      )
      expect((await onPath.session.createBranchedSession("b")).getSessionName()).toBeUndefined()
      const byHeader = await given(testHeader({ title: "titled" }), userEntry("a", null), info("n", "a", ""))
      expect((await byHeader.session.createBranchedSession("a")).getSessionName()).toBeUndefined()
    })

    it("is kept in omp's title line", async () => {
      const slot = { type: "title", v: 1, title: "Slot", updatedAt: "t", pad: "" }
      const line = JSON.stringify({ ...slot, pad: " ".repeat(255 - JSON.stringify(slot).length) })
      const { session, storage } = await given(line, testHeader(), userEntry("a", null))
      expect(session.getSessionName()).toBe("Slot")
      const branch = await session.createBranchedSession("a")
      const text = (await storedText(storage, keyOf(branch))) ?? ""
      expect(text.slice(0, 256)).toBe(`${line}\n`)
      expect([branch.getSessionName(), branch.getEntries().length]).toEqual(["Slot", 1])
    })
  })

  it("copies lines as they are, whatever stands in them", async () => {
    const line =
      '{ "x":1.0, "type":"hologram","id":"h","parentId":"a","timestamp":"t","big":12345678901234567890,"2":0,"1":0 }'
    const { session, storage } = await given(
      testHeader(),
      userEntry("a", null),
      line,
      label("l", "h", "a"),
      assistantEntry("b", "l"),
    )
    const branch = await session.createBranchedSession("b")
    expect((await storedText(storage, keyOf(branch)))?.split("\n")[2]).toBe(line)
  })

  it("puts glued records on lines of their own, and takes a missing parent for a root", async () => {
    const glued = JSON.stringify(userEntry("a", "gone")) + JSON.stringify(userEntry("b", "a"))
    const { session, sessions, storage } = await given(testHeader(), glued)
    const branch = await session.createBranchedSession("b")
    expect(await storedRecords(storage, keyOf(branch))).toMatchObject([
      {},
      { id: "a", parentId: null },
      { id: "b", parentId: "a" },
    ])
    await branch.close()
    expect((await verifySession(sessions, keyOf(branch))).ok).toBe(true)
  })

  it("has what is pending in its source too", async () => {
    const { session } = await withHeader(userEntry("a", null))
    const id = session.appendMessage(userMessage("pending"))
    const branch = await session.createBranchedSession(id)
    expect(idsOf(branch.getEntries())).toEqual(["a", id])
  })

  it("comes of a session that is not stored yet", async () => {
    const { sessions } = givenManager()
    const session = await sessions.create("/project")
    const id = session.appendThinkingLevelChange("low")
    const branch = await session.createBranchedSession(id)
    expect(branch.getEntries()).toEqual(session.getEntries())
  })

  it("of a session in memory stays in memory", async () => {
    const { sessions, storage } = givenManager()
    const session = sessions.inMemory("/project")
    const a = session.appendMessage(userMessage("a"))
    session.appendLabelChange(a, "x")
    const b = session.appendMessage(userMessage("b"))
    session.appendSessionInfo("named")
    const branch = await session.createBranchedSession(b)
    expect([branch.isPersisted(), branch.getLabel(a), branch.getSessionName()]).toEqual([false, "x", "named"])
    expect(branch.getHeader().parentSession).toBe(session.getSessionId())
    for await (const { key } of storage.list()) throw new Error(`${key} was stored`)
  })

  it("of an unknown entry is refused", async () => {
    const { session } = await withHeader(userEntry("a", null))
    await expect(session.createBranchedSession("gone")).rejects.toMatchObject({ code: "EntryNotFoundError" })
  })
})
