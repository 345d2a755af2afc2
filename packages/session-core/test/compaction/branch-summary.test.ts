import { abandonedEntries, prepareBranchSummary, summarizeBranch } from "@treelog/session-core/compaction"
import { assistantEntry, chain, entry, messageEntry, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { idsOf } from "../session/given-manager.js"
import { answered, called, givenSummarizer, inMemory, returned, said, USAGE } from "./given.js"

describe("the entries that are left", () => {
  const shared = chain(userEntry("u1", null), assistantEntry("a1", null))
  const left = [...shared, userEntry("u2", "a1"), assistantEntry("a2", "u2")]
  const target = [...shared, userEntry("u3", "a1")]

  it("are those below the deepest common ancestor, oldest first", () => {
    expect(idsOf(abandonedEntries(left, target))).toEqual(["u2", "a2"])
    expect(idsOf(abandonedEntries(target, left))).toEqual(["u3"])
  })

  it("are all where nothing is shared, and none on the way further down", () => {
    expect(idsOf(abandonedEntries(left, []))).toEqual(["u1", "a1", "u2", "a2"])
    expect(abandonedEntries(shared, left)).toEqual([])
    expect(abandonedEntries([], left)).toEqual([])
  })
})

describe("prepareBranchSummary", () => {
  const details = { readFiles: ["s.ts"], modifiedFiles: ["m.ts"] }
  const path = chain(
    messageEntry("u1", null, said(10)),
    messageEntry("a1", null, called("c", "edit", { file_path: "e.ts" })),
    messageEntry("r1", null, returned("c", 50)),
    entry("compaction", "c1", null, { summary: "c".repeat(400), tokensBefore: 1, details }),
    messageEntry("u2", null, said(10)),
    messageEntry("a2", null, answered(10)),
  )
  const rolesWithin = (tokens: number) => prepareBranchSummary(path, tokens).messages.map(({ role }) => role)

  it("takes the newest messages that fit, without tool results", () => {
    expect(rolesWithin(0)).toEqual(["user", "assistant", "compactionSummary", "user", "assistant"])
    expect(rolesWithin(20)).toEqual(["user", "assistant"])
    expect(rolesWithin(19)).toEqual(["assistant"])
  })

  it("takes a summary that does not fit while there is some room, and nothing beyond it", () => {
    expect(rolesWithin(100)).toEqual(["compactionSummary", "user", "assistant"])
    expect(rolesWithin(22)).toEqual(["user", "assistant"])
  })

  it("takes the newest message however large it is", () => {
    expect(rolesWithin(1)).toEqual(["assistant"])
  })

  it("lists the files of the whole branch, and of the summaries on it", () => {
    expect(prepareBranchSummary(path, 1).files).toEqual({ readFiles: ["s.ts"], modifiedFiles: ["e.ts", "m.ts"] })
  })

  it("takes no lists from an extension's details", () => {
    const theirs = entry("branch_summary", "s", null, { fromId: "x", summary: "s", details, fromExtension: true })
    expect(prepareBranchSummary([theirs]).files).toEqual({ readFiles: [], modifiedFiles: [] })
  })
})

describe("summarizeBranch", () => {
  it("goes to the target, and says there what was left, with files and usage", async () => {
    const session = inMemory(said(5), answered(5), said(5), called("c", "write", { path: "w.ts" }), answered(5))
    const [, target = ""] = idsOf(session.getEntries())
    const leafId = session.getLeafId()
    const { asked, summarize } = givenSummarizer("left")
    const outcome = await summarizeBranch(session, target, summarize, { instructions: "the bug" })
    const summary = "left (1)\n\n<modified-files>\nw.ts\n</modified-files>"
    const files = { readFiles: [], modifiedFiles: ["w.ts"] }
    const entryId = session.getLeafId()
    expect(outcome).toEqual({ status: "summarized", entryId, summary, files, usage: USAGE, diagnostics: [] })
    expect(session.getLeafEntry()).toMatchObject({
      type: "branch_summary",
      parentId: target,
      fromId: leafId,
      summary,
      details: files,
      usage: USAGE,
    })
    expect(asked).toMatchObject([{ kind: "branch", maxTokens: 2048, prompt: expect.stringContaining("the bug") }])
  })

  it("asks for no more than the window holds", async () => {
    const session = inMemory(said(50, "old"), said(50, "new"))
    const { asked, summarize } = givenSummarizer()
    await summarizeBranch(session, null, summarize, { contextWindow: 160, reserveTokens: 100 })
    expect(asked[0]?.prompt).toContain("new")
    expect(asked[0]?.prompt).not.toContain("old")
  })

  it("stays where it is, and asks nobody, when nothing is left behind", async () => {
    const session = inMemory(said(5), answered(5))
    const { asked, summarize } = givenSummarizer()
    const leafId = session.getLeafId()
    expect(await summarizeBranch(session, leafId, summarize)).toEqual({ status: "nothing-to-summarize" })
    session.appendCustomEntry("mark")
    expect(await summarizeBranch(session, leafId, summarize)).toEqual({ status: "nothing-to-summarize" })
    expect(asked).toEqual([])
  })

  it("refuses an unknown target", async () => {
    const running = summarizeBranch(inMemory(said(5)), "gone", givenSummarizer().summarize)
    await expect(running).rejects.toMatchObject({ code: "EntryNotFoundError", data: { id: "gone" } })
  })
})
