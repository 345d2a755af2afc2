import type { Message } from "@treelog/session-core"
import type { prepareCompaction } from "@treelog/session-core/compaction"
import {
  compactionRequests,
  DEFAULT_COMPACTION_SETTINGS,
  serializeConversation,
} from "@treelog/session-core/compaction"
import { toolResultMessage, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { branchRequest, splitFileLists, withFileLists } from "../door.js"
import { called } from "./given.js"

const files = { readFiles: [], modifiedFiles: [] }
type Prepared = NonNullable<ReturnType<typeof prepareCompaction>>

const prepared = (fields: Partial<Prepared>): Prepared => ({
  firstKeptEntryId: "x",
  messagesToSummarize: [],
  turnPrefixMessages: [],
  messagesToKeep: [],
  isSplitTurn: false,
  tokensBefore: 1,
  files,
  settings: DEFAULT_COMPACTION_SETTINGS,
  ...fields,
})

const headings = (prompt = ""): string[] => prompt.split("\n").filter((line) => line.startsWith("#"))
const SECTIONS = [
  "## Goal",
  "## Constraints & Preferences",
  "## Progress",
  "### Done",
  "### In Progress",
  "### Blocked",
  "## Key Decisions",
  "## Next Steps",
]
const messages = [userMessage("words")]

describe("the prompts", () => {
  const first = compactionRequests(prepared({ messagesToSummarize: messages })).history
  const update = compactionRequests(prepared({ messagesToSummarize: messages, previousSummary: "before" })).history
  const turn = compactionRequests(prepared({ turnPrefixMessages: messages })).turnPrefix
  const branch = branchRequest({ messages, from: 0, totalTokens: 1, files })

  it("ask for the sections of the format", () => {
    expect(headings(first?.prompt)).toEqual([...SECTIONS, "## Critical Context"])
    expect(headings(update?.prompt)).toEqual([...SECTIONS, "## Critical Context"])
    expect(headings(branch?.prompt)).toEqual(SECTIONS)
    expect(headings(turn?.prompt)).toEqual(["## Original Request", "## Early Progress", "## Needed Later"])
  })

  it("begin with the conversation, and go on with the previous summary", () => {
    for (const request of [first, update, turn, branch])
      expect(request?.prompt).toMatch(/^<conversation>\n\[User\]: words\n<\/conversation>\n\n/)
    expect(update?.prompt).toContain("</conversation>\n\n<previous-summary>\nbefore\n</previous-summary>\n\n")
    expect(first?.prompt).not.toContain("previous-summary")
  })

  it("end with the focus that the caller asks for, and with none for a blank one", () => {
    const request = (instructions: string) =>
      branchRequest({ messages, from: 0, totalTokens: 1, files }, instructions)?.prompt
    expect(request(" tests ")).toBe(`${branch?.prompt}\n\nPay special attention to this: tests`)
    expect(request(" ")).toBe(branch?.prompt)
  })

  it("are not made where there is nothing that a model would get", () => {
    const excluded = { role: "bashExecution", command: "ls", output: "", excludeFromContext: true } as Message
    expect(compactionRequests(prepared({ messagesToSummarize: [excluded] }))).toEqual({})
    expect(branchRequest({ messages: [excluded], from: 0, totalTokens: 1, files })).toBeUndefined()
  })

  it("hold no half of a surrogate pair", () => {
    const prompt = branchRequest({ messages: [userMessage("a\ud800b")], from: 0, totalTokens: 1, files })?.prompt
    expect(prompt).toContain("a\ufffdb")
  })
})

describe("a conversation as text", () => {
  const text = (...list: unknown[]): string => serializeConversation(list as Message[])

  it("names who said what, and how tools were called", () => {
    const call = called("c", "edit", { path: "a.ts", lines: [1, 2] })
    const content = [{ type: "thinking", thinking: "hm" }, { type: "text", text: "so" }, ...call.content]
    expect(text(userMessage("hi"), { ...call, content }, toolResultMessage("done"))).toBe(
      [
        "[User]: hi",
        "[Assistant thinking]: hm",
        "[Assistant]: so",
        '[Assistant tool calls]: edit(path="a.ts", lines=[1,2])',
        "[Tool result]: done",
      ].join("\n\n"),
    )
  })

  it("holds commands, notes and summaries as words of the user, and instructions but for system messages", () => {
    const summary = { role: "branchSummary", summary: "tried", fromId: "x", timestamp: 1 }
    const note = { role: "custom", customType: "n", content: "noted", display: true, timestamp: 1 }
    expect(text(note, summary, { role: "system", content: "rules" }, { role: "developer", content: "brief" })).toMatch(
      /^\[User\]: noted\n\n\[User\]: .*tried.*\n\n\[Developer\]: brief$/s,
    )
  })

  it("cuts tool results at 2,000 units, never through a pair", () => {
    expect(text(toolResultMessage("x".repeat(2_000)))).toBe(`[Tool result]: ${"x".repeat(2_000)}`)
    expect(text(toolResultMessage("x".repeat(2_001)))).toBe(
      `[Tool result]: ${"x".repeat(2_000)}\n\n[1 more characters were left out]`,
    )
    expect(text(toolResultMessage(`${"x".repeat(1_999)}🙂y`))).toBe(
      `[Tool result]: ${"x".repeat(1_999)}\n\n[3 more characters were left out]`,
    )
  })

  it("leaves out what says nothing, and survives what is broken", () => {
    const poor = [{ role: "user" }, { role: "assistant", content: null }, { role: "toolResult", content: [null] }]
    const call = { type: "toolCall", name: 5, arguments: "x" }
    expect(text(...poor, { role: "oracle" }, { role: "assistant", content: [null, 5, {}, call] })).toBe(
      "[Assistant tool calls]: ()",
    )
  })
})

describe("the lists of files behind a summary", () => {
  it.each([
    [[], []],
    [["a"], []],
    [[], ["m", "n"]],
    [["a", "b"], ["m"]],
  ])("can be taken off again: %j read, %j modified", (readFiles, modifiedFiles) => {
    const stored = withFileLists("sum", { readFiles, modifiedFiles })
    expect(splitFileLists(stored)).toEqual({ summary: "sum", readFiles, modifiedFiles })
  })

  it("are only those at the very end", () => {
    const summary = "<read-files>\na\n</read-files>\n\nand more"
    expect(splitFileLists(summary)).toEqual({ summary, readFiles: [], modifiedFiles: [] })
    expect(splitFileLists("\n</read-files>").summary).toBe("\n</read-files>")
  })
})
