import { describe, expect, it } from "vitest"
import { call, convert, line, links, messageLinks, reply, result, spoken, system, text, user } from "./lines.js"

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

  it("put parallel results behind their reply in the order of the file, and the next line behind the last", () => {
    const { entries } = convert(
      user("u", null, "Hello"),
      reply("a", "u", [call("c1")], { id: "m" }),
      reply("b", "a", [call("c2")], { id: "m" }),
      result("r2", "b", "c2"),
      result("r1", "a", "c1"),
      reply("z", "r1", [text("Done")]),
    )
    expect(links(entries)).toBe("u< a<u r2<a r1<r2 z<r1")
  })

  it("put a result behind the last call before it that has its id, where calls of several replies have the same", () => {
    const turn = (asked: string, called: string, answered: string, parent: string | null) => [
      user(asked, parent, asked),
      reply(called, asked, [call("call_0")]),
      result(answered, called, "call_0"),
    ]
    const { entries } = convert(turn("u", "a", "r", null), turn("v", "b", "s", "r"), reply("z", "s", [text("Done")]))
    expect(links(entries)).toBe("u< a<u r<a v<r b<v s<b z<s")
  })

  it("put what the client added to one of several results, and nothing hangs on, before what follows", () => {
    const calls = [user("u", null, "Hello"), reply("a", "u", [call("c1"), call("c2")])]
    const note = (id: string, parent: string) => user(id, parent, id, { isMeta: true })
    const next = user("v", "r2", "Next")
    const results = [result("r1", "a", "c1"), result("r2", "a", "c2")]
    const said = (...lines: object[]) => spoken(convert(...(lines as Parameters<typeof convert>)).entries).slice(2)
    expect(said(...calls, ...results, note("n1", "r1"), note("n2", "n1"), next)).toEqual([
      "of c1",
      "of c2",
      "n1",
      "n2",
      "Next",
    ])
    const pin = { type: "last-prompt", leafUuid: "v" }
    expect(said(...calls, ...results, next, pin, note("n1", "a"))).toEqual(["of c1", "of c2", "n1", "Next"])
    // What leads on to something is a branch.
    expect(said(...calls, ...results, note("n1", "r1"), user("w", "n1", "Other"), next)).toEqual([
      "of c1",
      "of c2",
      "Next",
    ])
    // So is what follows a reply without calls.
    expect(
      said(user("u", null, "Hello"), reply("a", "u", [text("Yes")]), note("n1", "a"), user("v", "a", "Next")),
    ).toEqual(["Next"])
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

  it("put a line that is kept behind the call that it names, also where that is written later", () => {
    const { entries, report } = convert(
      user("u", null, "Hello"),
      line("attachment", "h", "a", { attachment: { type: "hook_success", hookEvent: "PreToolUse", toolUseID: "c1" } }),
      reply("a", "u", [call("c1")]),
      result("r", "h", "c1"),
      reply("z", "r", [text("Done")]),
    )
    expect(links(entries)).toBe("u< a<u h<a r<h z<r")
    expect(report.diagnostics).toEqual([])
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

  it("hang a compaction whose logical parent is gone on the entry before, which is no damage", () => {
    const { entries, report } = convert(
      user("u", null, "Hello"),
      system("b", null, "compact_boundary", { ...boundary, logicalParentUuid: "gone" }),
      user("s", "b", "So far", summary),
    )
    expect(links(entries)).toBe("u< b<u")
    expect(report.diagnostics).toEqual([])
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

  it("hang what names a missing parent on the entry before it by time, and report it", () => {
    const at = (time: string) => ({ timestamp: `2026-02-10T${time}:00.000Z` })
    const { entries, report } = convert(
      user("u", null, "Hello", at("08:00")),
      reply("a", "u", [text("Yes")], {}, at("08:01")),
      user("v", "a", "Later", at("08:10")),
      user("w", "gone", "Lost", at("08:05")),
    )
    expect(links(entries)).toBe("u< a<u v<a w:reset<a w<w:reset")
    expect(report.diagnostics).toMatchObject([{ kind: "missing-parent", line: 4, entryId: "w" }])
  })

  it.each([
    ["has all above it as the context, up to five seconds later", "08:01:05.000", ["Hello", "Yes", "Lost"]],
    ["is where the context begins, later", "08:01:05.001", ["Lost"]],
  ])("what names a missing parent %s, as Claude Code goes on", (_, time, said) => {
    const at = (time: string) => ({ timestamp: `2026-02-10T${time}Z` })
    const { entries } = convert(
      user("u", null, "Hello", at("08:00:00.000")),
      reply("a", "u", [text("Yes")], {}, at("08:01:00.000")),
      user("w", "gone", "Lost", at(time)),
    )
    expect(spoken(entries)).toEqual(said)
  })

  it("look for the time of a missing parent at the line that names it, which may be one that becomes no entry", () => {
    const at = (time: string) => ({ timestamp: `2026-02-10T08:0${time}.000Z` })
    const { entries } = convert(
      user("u", null, "Hello", at("0:00")),
      reply("a", "u", [text("Yes")], {}, at("0:01")),
      system("t", "gone", "turn_duration", at("0:02")),
      user("v", "t", "A minute later", at("1:02")),
    )
    expect(spoken(entries)).toEqual(["Hello", "Yes", "A minute later"])
  })

  it("begin anew where a line has no parent: the user went back to before the first message", () => {
    const { entries, report } = convert(
      user("u", null, "Haiku"),
      reply("a", "u", [text("Clay waits")]),
      { type: "last-prompt", leafUuid: null, explicit: true, rewound: true },
      user("v", null, "Limerick"),
      reply("b", "v", [text("A potter")]),
    )
    expect(messageLinks(entries)).toBe("u< a<u v< b<v")
    expect(report.diagnostics).toEqual([])
    expect(spoken(entries)).toEqual(["Limerick", "A potter"])
  })

  it("hang a compaction on the node before where its logical parent is before another compaction", () => {
    const { entries } = convert(
      user("u", null, "Hello"),
      reply("a", "u", [text("Yes")]),
      system("b", null, "compact_boundary", { ...boundary, logicalParentUuid: "a" }),
      user("s", "b", "First", summary),
      user("v", "s", "Between"),
      system("c", null, "compact_boundary", { ...boundary, logicalParentUuid: "u" }),
      user("t", "c", "Second", summary),
      user("w", "t", "After"),
    )
    expect(links(entries)).toBe("u< a<u b<a v<b c<v w<c")
  })

  it("go through a compaction to the messages that it kept, whether they are named or written again", () => {
    const before = [
      user("u", null, "One"),
      reply("a", "u", [text("Two")]),
      user("v", "a", "Three"),
      reply("b", "v", [text("Four")]),
    ]
    const segment = { compactMetadata: { preservedSegment: { headUuid: "v", anchorUuid: "s", tailUuid: "b" } } }
    const list = { compactMetadata: { preservedMessages: { anchorUuid: "s", uuids: ["v", "b"] } } }
    const made = (fields: object, ...again: Record<string, unknown>[]) => [
      system("c", null, "compact_boundary", { logicalParentUuid: "a", ...fields }),
      user("s", "c", "So far", summary),
      ...again,
    ]
    const below = (parent: string) => [user("w", parent, "Five"), reply("d", "w", [text("Six")])]
    const sameIds = [
      { ...before[2], parentUuid: "s" },
      { ...before[3], parentUuid: "v" },
    ]
    const otherIds = [
      { ...before[2], uuid: "v2", parentUuid: "s" },
      { ...before[3], uuid: "b2", parentUuid: "v2" },
    ]
    const kept = ["So far", "Three", "Four", "Five", "Six"]
    expect(spoken(convert(before, made(segment), below("s")).entries)).toEqual(kept)
    expect(spoken(convert(before, made(list), below("s")).entries)).toEqual(kept)
    expect(spoken(convert(before, made(segment), below("b")).entries)).toEqual(kept)
    expect(spoken(convert(before, made(segment, ...sameIds), below("b")).entries)).toEqual(kept)
    expect(spoken(convert(before, made(boundary, ...sameIds), below("b")).entries)).toEqual(kept)
    const copied = convert(before, made(boundary, ...otherIds), below("b2"))
    expect(spoken(copied.entries)).toEqual(kept)
    expect(copied.report.kinds).toMatchObject({ user: { skipped: 1 }, assistant: { skipped: 1 } })
    const gone = { compactMetadata: { preservedSegment: { headUuid: "x", anchorUuid: "s", tailUuid: "y" } } }
    expect(spoken(convert(before, made(gone), below("s")).entries)).toEqual(["So far", "Five", "Six"])
    const torn = { compactMetadata: { preservedMessages: { anchorUuid: "s", uuids: ["v", "torn", "b"] } } }
    expect(spoken(convert(before, made(torn), below("s")).entries)).toEqual(["So far", "Five", "Six"])
  })

  it("put what hangs on messages that the last compaction dropped behind it", () => {
    const lines = (dropped: string) => [
      user("u", null, "One"),
      reply("a", "u", [text("Two")]),
      user("v", "a", "Three"),
      reply("b", "v", [text("Four")]),
      system("c", null, "compact_boundary", {
        compactMetadata: { preservedMessages: { anchorUuid: "s", uuids: ["v", "b"] } },
      }),
      user("s", "c", "So far", summary),
      user("w", dropped, "Five"),
    ]
    expect(spoken(convert(lines("u")).entries)).toEqual(["So far", "Three", "Four", "Five"])
    const again = [system("d", null, "compact_boundary", { logicalParentUuid: "w" }), user("t", "d", "All", summary)]
    expect(spoken(convert(lines("s"), again, user("x", "u", "Six")).entries)).toEqual(["One", "Six"])
  })

  it("begin at a summary without a parent, as versions before 1.0.109 wrote it, and go on from where the client does", () => {
    const first = [user("u", null, "One"), reply("a", "u", [text("Two")]), user("s", null, "So far", summary)]
    const caveat = user("m", "s", "Caveat", { isMeta: true })
    const { entries, report } = convert(...first, caveat, user("v", "m", "Three"), reply("b", "v", [text("Four")]))
    expect(spoken(entries)).toEqual(["So far", "Caveat", "Three", "Four"])
    expect(entries.find(({ id }) => id === "s")).toMatchObject({ type: "compaction", parentId: "a", summary: "So far" })
    expect(report.diagnostics).toEqual([])
    // The next one is followed by what hangs on the note behind the first.
    const again = [user("t", null, "All of it", summary), user("w", "m", "Five"), reply("c", "w", [text("Six")])]
    const both = convert(...first, caveat, user("v", "m", "Three"), reply("b", "v", [text("Four")]), ...again)
    expect(spoken(both.entries)).toEqual(["So far", "Caveat", "Five", "Six"])
  })

  it("take a summary without its boundary for a message, and a boundary without its summary for the start", () => {
    const before = [user("u", null, "One"), reply("a", "u", [text("Two")])]
    const alone = [user("s", "a", "So far", summary), user("v", "s", "Three")]
    expect(spoken(convert(before, alone).entries)).toEqual(["One", "Two", "So far", "Three"])
    expect(spoken(convert(user("s", null, "So far", summary), user("v", "s", "Three")).entries)).toEqual([
      "So far",
      "Three",
    ])
    const open = system("b", null, "compact_boundary", { ...boundary, logicalParentUuid: "a" })
    expect(spoken(convert(before, open).entries)).toEqual(["One", "Two"])
    expect(spoken(convert(before, open, user("v", "b", "Three")).entries)).toEqual(["Three"])
  })

  it.each([
    ["the first and the last", { preservedSegment: { headUuid: "x", anchorUuid: "c", tailUuid: "a" } }],
    ["each", { preservedMessages: { anchorUuid: "c", uuids: ["u", "a"] } }],
  ])("keep the messages before a summary of those behind them, by %s, whose branch stays", (_, compactMetadata) => {
    const { entries } = convert(
      line("attachment", "x", null, { attachment: { type: "date_change" } }),
      user("u", "x", "One"),
      reply("a", "u", [text("Two")]),
      user("v", "a", "Three"),
      reply("b", "v", [text("Four")]),
      system("c", null, "compact_boundary", {
        logicalParentUuid: "b",
        compactMetadata,
      }),
      user("s", "c", "What followed", summary),
      user("w", "s", "Five"),
    )
    expect(messageLinks(entries)).toBe("u<x a<u v<a b<v c<a w<c")
    expect(entries.find(({ id }) => id === "c")).toMatchObject({ type: "branch_summary", fromId: "b" })
    expect(spoken(entries)).toEqual(["One", "Two", "What followed", "Five"])
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

  it("put the summary of a compaction behind the messages that it kept, where the user went back into them", () => {
    const kept = { preservedSegment: { headUuid: "v", anchorUuid: "s", tailUuid: "c" } }
    const { entries } = convert(
      user("u", null, "One"),
      reply("a", "u", [text("1")]),
      user("v", "a", "Two"),
      reply("b", "v", [text("2")], { id: "m2" }),
      user("w", "b", "Three"),
      reply("c", "w", [text("3")], { id: "m3" }),
      system("k", null, "compact_boundary", { logicalParentUuid: "c", compactMetadata: kept }),
      user("s", "k", "SUMMARY", summary),
      user("x", "s", "Four"),
      user("y", "b", "Another three"),
      reply("d", "y", [text("4")], { id: "m4" }),
      user("z", "d", "Five"),
    )
    expect(spoken(entries)).toEqual(["SUMMARY", "Two", "2", "Another three", "4", "Five"])
    expect(entries.filter(({ type }) => type === "compaction").map(({ id }) => id)).toEqual(["k", "y:compaction"])
  })

  it("take the last line that has an id, and keep one before it that says something else", () => {
    const { entries } = convert(
      user("u", null, "Hello"),
      user("u", null, "Bye"),
      reply("a", "u", [text("Yes")]),
      user("u", null, "Bye"),
      reply("a", "u", [text("No")]),
    )
    expect(spoken(entries)).toEqual(["Bye", "No"])
    expect(entries.filter(({ type }) => type === "custom").map(({ id }) => id)).toEqual(["line:1", "line:3"])
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

  it("end with the last line, or where the last pin is, if that is not above it: where the user went there, what was written since counts", () => {
    const turns = [
      user("u", null, "One"),
      reply("a", "u", [text("Two")]),
      user("v", "a", "Three"),
      reply("b", "v", [text("Four")]),
    ]
    const other = [user("w", "a", "Five"), reply("c", "w", [text("Six")])]
    const pin = (leafUuid: string | null, fields = {}) => ({ type: "last-prompt", leafUuid, ...fields })
    const went = { explicit: true }
    const zeros = "00000000-0000-0000-0000-000000000000"
    const [first, second] = [
      ["One", "Two", "Three", "Four"],
      ["One", "Two", "Five", "Six"],
    ]
    const said = (...lines: Parameters<typeof convert>) => spoken(convert(...lines).entries)
    expect(said(turns, other, pin("b", went))).toEqual(first)
    expect(said(turns, pin("b"), other)).toEqual(first)
    expect(said(turns, pin("b"), pin(zeros, went), other)).toEqual(second)
    expect(said(turns, other, pin("b", went), pin(zeros))).toEqual(second)
    expect(said(turns, other, pin("b", went), pin(null))).toEqual(first)
    expect(said(turns, pin("b"), user("x", "b", "Seven"), other)).toEqual(first)
    expect(said(turns, pin("b"), other, pin("gone"))).toEqual(second)
    expect(said(turns, pin("a"))).toEqual(first)
    expect(said(turns, pin("a", went))).toEqual(["One", "Two"])
    expect(said(turns, pin("a", went), other)).toEqual(second)
    expect(said(turns, pin("a", went), user("x", "b", "Seven"))).toEqual([...first, "Seven"])
    expect(said(turns, pin(null, went))).toEqual([])
    expect(said(turns, pin("gone", went))).toEqual(first)
  })

  it("end with the last line, and without pins with what was written later and stands before it", () => {
    const [u, a] = [user("u", null, "One"), reply("a", "u", [text("Two")])]
    const [left, v, b] = [user("w", "a", "Left"), user("v", "a", "Three"), reply("b", "v", [text("Four")])]
    const end = (...lines: Parameters<typeof convert>) => spoken(convert(u, a, ...lines).entries).slice(2)
    expect(end(v, b, left)).toEqual(["Left"])
    expect(end(b, v)).toEqual(["Three", "Four"])
    expect(end({ type: "last-prompt", leafUuid: "a" }, b, v)).toEqual(["Three"])
  })

  it("end in the newest branch, also where the client said something at the end of it", () => {
    const { entries } = convert(
      user("u", null, "One"),
      user("v", "u", "Left"),
      user("w", "u", "Two"),
      user("m", "w", "meta", { isMeta: true }),
      system("l", "m", "local_command", { content: "<local-command-stdout>Done</local-command-stdout>" }),
    )
    expect(spoken(entries)).toEqual(["One", "Two", "meta", "<local-command-stdout>Done</local-command-stdout>"])
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
