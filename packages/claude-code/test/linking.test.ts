import { isEntry } from "@treelog/session-core"
import { describe, expect, it } from "vitest"
import { call, convert, line, links, reply, result, system, text, user } from "./lines.js"

const boundary = { compactMetadata: { trigger: "auto", preTokens: 9 } }
const summary = { isCompactSummary: true, isVisibleInTranscriptOnly: true }

describe("The links of a conversion", () => {
  it("pass over lines that become no entry", () => {
    const { entries, report } = convert(
      user("u", null, "Hello"),
      line("progress", "p", "u", { data: {} }),
      reply("a", "p", [text("Yes")]),
    )
    expect(links(entries)).toBe("u< a<u")
    expect(report.kinds.progress).toEqual({ converted: 0, kept: 0, skipped: 1, reason: expect.any(String) })
  })

  it("make one entry of the lines of a reply, with the usage of the last, and let all of their ids mean it", () => {
    const same = { id: "m", usage: { input_tokens: 1, output_tokens: 50 } }
    const { entries } = convert(
      user("u", null, "Hello"),
      reply("a", "u", [text("One")], { id: "m" }),
      reply("b", "a", [text("Two")], same),
      user("v", "b", "More"),
    )
    expect(links(entries)).toBe("u< a<u v<a")
    expect(entries[1]).toMatchObject({ message: { content: [text("One"), text("Two")], usage: { output: 50 } } })
  })

  it("put parallel results behind their reply in the order of its calls, and the next line behind the last", () => {
    const { entries } = convert(
      user("u", null, "Hello"),
      reply("a", "u", [call("c1")], { id: "m" }),
      reply("b", "a", [call("c2")], { id: "m" }),
      result("r2", "b", "c2"),
      result("r1", "a", "c1"),
      reply("z", "r1", [text("Done")]),
    )
    expect(links(entries)).toBe("u< a<u r1<a r2<r1 z<r2")
  })

  it("put the result of an unknown call behind the results of the reply that it hangs on", () => {
    const { entries } = convert(
      user("u", null, "Hello"),
      reply("a", "u", [call("c1")]),
      result("r1", "a", "c1"),
      result("r9", "a", "c9"),
      reply("z", "r1", [text("Done")]),
    )
    expect(links(entries)).toBe("u< a<u r1<a r9<r1 z<r9")
  })

  it("hang a compaction on its logical parent", () => {
    const { entries } = convert(
      user("u", null, "Hello"),
      reply("a", "u", [text("Yes")]),
      system("b", null, "compact_boundary", { ...boundary, logicalParentUuid: "a" }),
      user("s", "b", "So far", summary),
      user("v", "s", "More"),
    )
    expect(links(entries)).toBe("u< a<u b<a v<b")
    expect(entries[2]).toMatchObject({
      type: "compaction",
      summary: "So far",
      tokensBefore: 9,
      firstKeptEntryId: "b",
      details: { summaryUuid: "s" },
    })
  })

  it("hang a compaction whose logical parent is gone on the entry before, and report it", () => {
    const { entries, report } = convert(
      user("u", null, "Hello"),
      system("b", null, "compact_boundary", { ...boundary, logicalParentUuid: "gone" }),
      user("s", "b", "So far", summary),
    )
    expect(links(entries)).toBe("u< b<u")
    expect(report.diagnostics).toMatchObject([{ kind: "missing-parent", line: 2, entryId: "b" }])
  })

  it("make no cycle of messages that a compaction kept and that are written behind it", () => {
    const kept = {
      compactMetadata: { preTokens: 9, preservedSegment: { headUuid: "u", tailUuid: "a" } },
      logicalParentUuid: "a",
    }
    const { entries } = convert(
      user("u", null, "Hello"),
      system("b", null, "compact_boundary", kept),
      user("s", "b", "So far", summary),
      reply("a", "s", [text("Yes")]),
    )
    expect(links(entries)).toBe("u< b<u a<b")
    expect(entries[1]).toMatchObject({ firstKeptEntryId: "u" })
  })

  it("hang a further root, and what names a missing parent, on the entry before", () => {
    const { entries, report } = convert(user("u", null, "Hello"), user("v", null, "Root"), user("w", "gone", "Lost"))
    expect(links(entries)).toBe("u< v<u w<v")
    expect(report.diagnostics.map(({ kind }) => kind)).toEqual(["missing-parent", "missing-parent"])
  })

  it("drop a copy with another id, and hang on the first what hangs on the copy", () => {
    const time = { timestamp: "2026-02-10T10:00:00.000Z" }
    const { entries, report } = convert(
      user("u", null, "Hello"),
      user("v", "u", "Again", time),
      user("w", "u", "Again", time),
      reply("a", "w", [text("Yes")]),
    )
    expect(links(entries)).toBe("u< v<u a<v")
    expect(report.kinds.user).toMatchObject({ converted: 2, skipped: 1 })
  })

  it("keep a line whose id an earlier one has, if it says something else", () => {
    const { entries } = convert(user("u", null, "Hello"), user("u", null, "Other"))
    expect(entries[1]).toMatchObject({ id: "line:2", type: "custom", customType: "claude-code.user" })
  })

  it("break a cycle of damaged lines", () => {
    const { entries } = convert(user("u", "v", "Hello"), user("v", "u", "More"))
    expect(links(entries)).toBe("u< v<u")
  })

  it("keep a branch that the user made, with the later one as the leaf", () => {
    const { entries } = convert(
      user("u", null, "Hello"),
      reply("a", "u", [text("Yes")]),
      user("v", "a", "One"),
      user("w", "a", "Two"),
    )
    expect(links(entries)).toBe("u< a<u v<a w<a")
  })

  it("end with a marker where a pinned leaf is not the last entry", () => {
    const pin = { type: "last-prompt", leafUuid: "v", explicit: true }
    const lines = [user("u", null, "Hello"), user("v", "u", "One"), user("w", "u", "Two"), pin]
    expect(convert(...lines).entries.at(-1)).toMatchObject({ customType: "treelog.leaf", parentId: "v" })
    expect(links(convert(...lines, user("x", "v", "More")).entries)).toBe("u< v<u w<u line:4<w x<v")
    const cleared = convert(...lines, { type: "last-prompt", leafUuid: null, explicit: true })
    expect(cleared.entries.some((entry) => isEntry(entry, "custom") && entry.customType === "treelog.leaf")).toBe(false)
  })

  it("lead over kept lines, so that they make no branches", () => {
    const { entries } = convert(
      { type: "mode", mode: "normal" },
      user("u", null, "Hello"),
      { type: "pr-link", prNumber: 1 },
      reply("a", "u", [text("Yes")]),
    )
    expect(links(entries)).toBe("line:1< u<line:1 line:3<u a<line:3")
  })
})
