import type { SessionEntry } from "@treelog/session-core"
import { entryFacts, sessionStats } from "@treelog/session-core/search"
import { assistantMessage, chain, entry, messageEntry, testTime, userMessage } from "@treelog-internal/test-kit"
import { generateSession } from "@treelog-internal/test-kit/generator"
import { describe, expect, it } from "vitest"
import { called, said, USAGE } from "../compaction/given.js"
import { givenManager, keyOf } from "../session/given-manager.js"

const totals = (calls: number) => ({
  calls,
  input: 100 * calls,
  output: 10 * calls,
  cacheRead: 5 * calls,
  cacheWrite: calls,
  totalTokens: 116 * calls,
  cost: calls,
})

describe("sessionStats", () => {
  it("counts messages by role, on all branches", () => {
    const entries = [
      messageEntry("a", null, userMessage("1")),
      messageEntry("b", "a", assistantMessage("2")),
      messageEntry("c", "a", assistantMessage("3")),
      messageEntry("d", null, { role: "oracle" }),
      entry("custom_message", "e", null, { content: "x" }),
    ]
    expect(sessionStats(entries)).toMatchObject({ entries: 5, messages: { user: 1, assistant: 2, oracle: 1 } })
  })

  it("counts what a program said in the user's place as no message of the user", () => {
    const entries = [
      messageEntry("a", null, userMessage("1")),
      messageEntry("b", "a", { ...userMessage("<task-notification>done</task-notification>"), prompt: "" }),
    ]
    expect(sessionStats(entries).messages).toEqual({ user: 1, other: 1 })
  })

  it("counts entries whose time is no text, and says no time of them", () => {
    const odd = { ...messageEntry("a", null, userMessage("1")), timestamp: { toString: 1 } } as unknown as SessionEntry
    const stats = sessionStats([odd, odd, messageEntry("b", "a", assistantMessage("2"))])
    expect(stats).toMatchObject({ entries: 2, messages: { user: 1, assistant: 1 } })
    expect(stats.from).toBe(stats.to)
    expect(entryFacts(odd)).toMatchObject({ id: "a", time: 0, texts: [{ text: "1" }] })
  })

  it("counts the usage of answers, tool results, compactions, summaries and usage entries, by model", () => {
    const usage = { usage: USAGE }
    const stats = sessionStats([
      messageEntry("a", null, assistantMessage("1", usage)),
      messageEntry("b", null, assistantMessage("1", { ...usage, model: "other" })),
      messageEntry("c", null, { role: "toolResult", ...usage }),
      entry("compaction", "d", null, usage),
      entry("branch_summary", "e", null, usage),
      entry("usage", "f", null, { ...usage, provider: "anthropic", model: "claude-test" }),
      entry("model_usage", "g", null, { ...usage, model: "openai/gpt" }),
    ])
    expect(stats.models).toEqual({
      "anthropic/claude-test": totals(2),
      "anthropic/other": totals(1),
      unknown: totals(3),
      "openai/gpt": totals(1),
    })
    expect(stats.total).toEqual(totals(7))
  })

  it("counts what a sub-agent of prime-agent used, and not again in the sum with its target", () => {
    const aggregateUsage = { ...USAGE, input: 2 * USAGE.input, output: 2 * USAGE.output }
    const stats = sessionStats([
      messageEntry("a", null, assistantMessage("1", { usage: USAGE })),
      entry("child_usage_attributed", "b", "a", { targetId: "a", childUsage: USAGE, aggregateUsage }),
    ])
    expect(stats.total).toEqual(totals(2))
  })

  it("takes a cost below zero as none, so that a list which goes on from a sum equals one that begins anew", () => {
    const costs = [{ input: 1, cost: { total: -1 } }, { cost: { total: -1 } }, { cost: { total: 0.5 } }]
    const stats = sessionStats(costs.map((usage, at) => entry("usage", String(at), null, { usage })))
    expect(stats.total).toEqual({ ...totals(0), calls: 2, input: 1, totalTokens: 1, cost: 0.5 })
  })

  it("takes of a usage what is there", () => {
    const usage = { input: 3, output: "many", cacheRead: 1e308, cost: null }
    expect(
      sessionStats([entry("usage", "a", null, { usage }), entry("usage", "b", null, { usage: "x" })]).total,
    ).toEqual({
      ...totals(0),
      calls: 1,
      input: 3,
      totalTokens: 3,
    })
  })

  it("lists what was read and modified, by tools that did not fail and in earlier summaries", () => {
    const stats = sessionStats([
      messageEntry("a", null, called("1", "read", { path: "r.ts" })),
      messageEntry("b", null, called("2", "edit", { file_path: "e.ts" })),
      entry("compaction", "c", null, { details: { readFiles: ["e.ts", "old.ts"] } }),
      messageEntry("d", null, called("1", "write", { path: "r.ts" })),
      messageEntry("e", null, { role: "toolResult", toolCallId: "1", isError: true }),
      messageEntry("f", null, { role: "toolResult", toolCallId: "2", isError: false }),
    ])
    expect(stats).toMatchObject({ readFiles: ["old.ts", "r.ts"], modifiedFiles: ["e.ts"] })
  })

  it("lists what the result of a call says that it modified, as of a shell command", () => {
    const stats = sessionStats([
      messageEntry("a", null, called("1", "Bash", { command: "python3 fix.py" })),
      messageEntry("b", "a", { role: "toolResult", toolCallId: "1", details: { modifiedFiles: ["s.ts", 1] } }),
    ])
    expect(stats).toMatchObject({ readFiles: [], modifiedFiles: ["s.ts"] })
  })

  it("lists what a sub-agent read and modified whose usage the session counts itself", () => {
    const data = { name: "a.jsonl", role: "subagent", readFiles: ["r.ts", "e.ts"], modifiedFiles: ["p.ts"] }
    const stats = sessionStats([
      messageEntry("a", null, called("1", "edit", { file_path: "e.ts" })),
      entry("custom", "b", "a", { customType: "treelog.part", data }),
    ])
    expect(stats).toMatchObject({ readFiles: ["r.ts"], modifiedFiles: ["e.ts", "p.ts"] })
  })

  it("spans the time from the first entry to the last, whatever their order", () => {
    const at = (id: string, timestamp: string) => ({ ...entry("custom", id, null), timestamp }) as SessionEntry
    const list = [at("a", testTime(9)), at("b", testTime(2)), at("c", "no date"), at("d", testTime(5))]
    expect(sessionStats(list)).toMatchObject({ from: testTime(2), to: testTime(9) })
    expect(sessionStats([])).toEqual({
      entries: 0,
      messages: {},
      models: {},
      total: totals(0),
      usages: [],
      readFiles: [],
      modifiedFiles: [],
      unknownTools: [],
    })
  })

  it("counts a line that stands twice in the file once", () => {
    const twice = messageEntry("a", null, userMessage("1"))
    expect(sessionStats([twice, twice])).toMatchObject({ entries: 1, messages: { user: 1 } })
  })

  it("adds up to what the entries say, in a generated session", () => {
    const lines = [...generateSession({ style: "pi", seed: 4, entries: 300, compactions: 2 })].slice(1)
    const entries = lines.map((line) => JSON.parse(line))
    const usages = entries.flatMap((one) => [one.usage, one.message?.usage]).filter(Boolean)
    const { total, models } = sessionStats(entries)
    const sum = (pick: (usage: typeof USAGE) => number) => usages.reduce((all, usage) => all + pick(usage), 0)
    expect(total).toMatchObject({ calls: usages.length, input: sum((usage) => usage.input) })
    expect(total.cost).toBeCloseTo(sum((usage) => usage.cost?.total ?? 0))
    expect(Object.values(models).reduce((all, { calls }) => all + calls, 0)).toBe(usages.length)
  })
})

describe("the entries of several sessions", () => {
  it("count once where a fork copied them, in whichever order the sessions come", async () => {
    const { sessions } = givenManager()
    const source = await sessions.create("/project")
    source.appendMessage(said(1))
    source.appendMessage(assistantMessage("1", { usage: USAGE }))
    await source.flush()
    const fork = await sessions.forkFrom(keyOf(source), "/elsewhere")
    fork.appendMessage(assistantMessage("2", { usage: USAGE }))
    const expected = { entries: 3, messages: { user: 1, assistant: 2 }, total: totals(2) }
    expect(sessionStats([...source.getEntries(), ...fork.getEntries()])).toMatchObject(expected)
    expect(sessionStats([...fork.getEntries(), ...source.getEntries()])).toMatchObject(expected)
    await Promise.all([source.close(), fork.close()])
  })

  it("count each where ids meet by chance", () => {
    const [one] = chain(messageEntry("same", null, userMessage("x")))
    const entries = [1, 2].map((seconds) => ({ ...one, timestamp: testTime(seconds) }) as SessionEntry)
    expect(sessionStats(entries)).toMatchObject({ entries: 2, messages: { user: 2 } })
  })
})

it("counts parts of a session under their role, and not again in the result that repeats them", () => {
  const usage = (output: number) => ({ input: 10, output, cacheRead: 0, cacheWrite: 0, totalTokens: 10 + output })
  const entry = (id: string, message: object) =>
    ({ type: "message", id, parentId: null, timestamp: "2026-11-10T09:00:00.000Z", message }) as unknown as SessionEntry
  const details = { results: [{ id: "Scan", usage: usage(1) }], usage: usage(1) }
  const result = entry("a", { role: "toolResult", toolCallId: "c", toolName: "task", content: [], details })
  const said = entry("b", { role: "assistant", content: [], provider: "p", model: "m", usage: usage(1) })
  const stats = sessionStats([result], [{ name: "Scan.jsonl", role: "subagent", entries: [said] }])
  expect(stats.usages.map(({ model, role, usage }) => [model, role, usage.output])).toEqual([["p/m", "subagent", 1]])
  expect([stats.total.calls, stats.messages]).toEqual([1, { toolResult: 1 }])
})

describe("entryFacts", () => {
  const textsOf = (content: string, prompt?: string) =>
    entryFacts(messageEntry("a", null, { ...userMessage(content), prompt })).texts

  it.each([
    [
      "<task-notification>done</task-notification>",
      "",
      [["toolResult", "<task-notification>done</task-notification>"]],
    ],
    ["fix it", "", [["toolResult", "fix it"]]],
    [
      "# Open tabs: a.ts\n## My request\nfix it",
      "fix it",
      [
        ["user", "fix it"],
        ["toolResult", "# Open tabs: a.ts\n## My request"],
      ],
    ],
    [
      "Write a page about $&",
      "/page $&",
      [
        ["user", "/page $&"],
        ["toolResult", "Write a page about $&"],
      ],
    ],
    ["<command-name>/greet</command-name><command-args>Ada</command-args>", "/greet Ada", [["user", "/greet Ada"]]],
    ["<bash-input>ls -l</bash-input>", "! ls -l", [["user", "! ls -l"]]],
    [
      "fix it<system-reminder>now</system-reminder>",
      "fix it",
      [
        ["user", "fix it"],
        ["other", "<system-reminder>now</system-reminder>"],
      ],
    ],
  ])("of %j, of which %j was typed, only that is of the user", (content, prompt, texts) => {
    expect(textsOf(content, prompt).map(({ role, text }) => [role, text])).toEqual(texts)
  })

  it("finds the words of a result that is JSON in one line as they are read", () => {
    const text = `Wall time: 0.1 seconds\nOutput:\n${JSON.stringify([{ type: "text", text: 'a "b"\n' }])}`
    const result = {
      role: "toolResult",
      toolCallId: "c",
      toolName: "x",
      content: [{ type: "text", text }],
      isError: false,
    }
    const [found] = entryFacts(messageEntry("a", null, result as never)).texts
    expect(found?.text).toBe('Wall time: 0.1 seconds\nOutput:\n[{"type":"text","text":"a "b"\n"}]')
  })

  it("takes a whole message for the user's where it does not say what was typed", () => {
    expect(textsOf("fix it")).toMatchObject([{ role: "user", text: "fix it" }])
    expect(textsOf("fix it", 5 as never)).toMatchObject([{ role: "user", text: "fix it" }])
  })
})
