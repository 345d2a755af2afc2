import { navigateTo } from "@treelog/session-core/compaction"
import { entry, sessionText, testHeader } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager, idsOf } from "../session/given-manager.js"
import { putStored } from "../session/stored-bytes.js"
import { answered, givenSummarizer, inMemory, said, waitingSummarizer } from "./given.js"

/** u1 a1 note u2 a2, by their ids. */
function conversation() {
  const session = inMemory(said(5, "first"), answered(5, "one"))
  session.appendCustomMessageEntry("note", [{ type: "text", text: "noted" }], true)
  session.appendMessage(said(5, "second"))
  session.appendMessage(answered(5, "two"))
  const [u1 = "", a1 = "", note = "", u2 = "", a2 = ""] = idsOf(session.getEntries())
  return { session, u1, a1, note, u2, a2 }
}

describe("navigateTo", () => {
  it("goes before a message of the user, and hands back its text", async () => {
    const { session, u2, note } = conversation()
    expect(await navigateTo(session, u2)).toEqual({
      status: "moved",
      leafId: note,
      editorText: "second".padEnd(20, "u"),
    })
    expect(session.getLeafId()).toBe(note)
  })

  it("goes before a message of an extension, and hands back its text", async () => {
    const { session, a1, note } = conversation()
    expect(await navigateTo(session, note)).toEqual({ status: "moved", leafId: a1, editorText: "noted" })
    const hook = session.appendMessage({
      role: "custom",
      customType: "x",
      content: "hook",
      display: true,
      timestamp: 1,
    })
    expect(await navigateTo(session, hook)).toMatchObject({ leafId: a1, editorText: "hook" })
  })

  it("goes to null from a first message of the user", async () => {
    const { session, u1 } = conversation()
    expect(await navigateTo(session, u1)).toMatchObject({ status: "moved", leafId: null })
    expect(session.getLeafId()).toBeNull()
    expect(session.buildSessionContext().messages).toEqual([])
  })

  it("goes to any other entry itself", async () => {
    const { session, a1 } = conversation()
    const mark = session.appendCustomEntry("mark")
    for (const id of [a1, mark]) {
      expect(await navigateTo(session, id)).toEqual({ status: "moved", leafId: id })
      expect(session.getLeafId()).toBe(id)
    }
  })

  it("writes nothing where it is asked for nothing more, and works on what is only read", async () => {
    const { sessions, storage } = givenManager()
    const text = sessionText(testHeader(), entry("message", "a", null, { message: said(1) }))
    const session = await sessions.open(await putStored(storage, "memory:/project/s", text), { access: "read" })
    expect(await navigateTo(session, "a")).toMatchObject({ status: "moved", leafId: null })
    expect(session.getEntries()).toHaveLength(1)
    await expect(navigateTo(session, "a", { label: "x" })).rejects.toMatchObject({ code: "ReadOnlySessionError" })
  })

  it("refuses an id that nothing has, before anybody is asked", async () => {
    const { session } = conversation()
    const { asked, summarize } = givenSummarizer()
    await expect(navigateTo(session, "gone", { summarize })).rejects.toMatchObject({ code: "EntryNotFoundError" })
    expect(asked).toEqual([])
  })

  it("takes a message without a parent in the file for a first one", async () => {
    const { sessions, storage } = givenManager()
    const text = sessionText(testHeader(), entry("message", "a", "missing", { message: said(1) }))
    const session = await sessions.open(await putStored(storage, "memory:/project/s", text))
    expect(await navigateTo(session, "a")).toMatchObject({ leafId: null })
    await session.close()
  })

  it.each([
    ["u2", "note"],
    ["u1", null],
    ["a1", "a1"],
  ] as const)("labels %s under the new place, and still stands at it", async (target, place) => {
    const given = conversation()
    const { session } = given
    const leafId = place && given[place]
    expect(await navigateTo(session, given[target], { label: "here" })).toMatchObject({ leafId })
    expect(session.getLabel(given[target])).toBe("here")
    expect(session.getLeafId()).toBe(leafId)
    expect(session.getEntries().at(-1)).toMatchObject({ type: "label", parentId: leafId })
  })
})

describe("navigateTo with a summary", () => {
  it("puts a summary of what is left at the new place, and labels it", async () => {
    const { session, u2, note, a2 } = conversation()
    const { asked, summarize } = givenSummarizer("left")
    const moved = await navigateTo(session, u2, { summarize, label: "tried", instructions: "the bug" })
    expect(moved).toMatchObject({ status: "moved", editorText: expect.stringContaining("second") })
    const { leafId, summaryId } = moved as { leafId: string; summaryId: string }
    expect([leafId, session.getLeafId()]).toEqual([summaryId, summaryId])
    expect(session.getEntry(summaryId)).toMatchObject({ type: "branch_summary", parentId: note, fromId: a2 })
    expect(session.getLabel(summaryId)).toBe("tried")
    expect(asked[0]).toMatchObject({ kind: "branch", prompt: expect.stringContaining("the bug") })
  })

  it("does not summarize the message that is handed back for editing", async () => {
    const { session, u2 } = conversation()
    const { asked, summarize } = givenSummarizer()
    await navigateTo(session, u2, { summarize })
    expect(asked[0]?.prompt).toContain("two")
    expect(asked[0]?.prompt).not.toContain("second")
  })

  it("puts the summary before everything where the first message is edited", async () => {
    const { session, u1 } = conversation()
    const { summaryId } = (await navigateTo(session, u1, { summarize: givenSummarizer().summarize })) as never
    expect(session.getEntry(summaryId)).toMatchObject({ parentId: null })
    expect(session.buildSessionContext().messages).toMatchObject([{ role: "branchSummary" }])
  })

  it("asks nobody where nothing is left, and goes there all the same", async () => {
    const { session, a2, a1 } = conversation()
    const { asked, summarize } = givenSummarizer()
    expect(await navigateTo(session, a2, { summarize })).toEqual({ status: "moved", leafId: a2 })
    session.branch(a1)
    expect(await navigateTo(session, a2, { summarize })).toEqual({ status: "moved", leafId: a2 })
    expect(asked).toEqual([])
  })

  it("goes nowhere when the session went on while the summary was made", async () => {
    const { session, u2 } = conversation()
    const { answer, summarize } = waitingSummarizer()
    const running = navigateTo(session, u2, { summarize, label: "x" })
    const added = session.appendMessage(said(1, "more"))
    answer("late")
    expect(await running).toEqual({ status: "overtaken" })
    expect(session.getLeafId()).toBe(added)
    expect(session.getEntries().at(-1)).toMatchObject({ id: added })
  })
})
