import { convertClaudeCode } from "@treelog/agents/claude-code"
import { buildSessionContext, isEntry, isTreelogError } from "@treelog/session-core"
import { sessionStats } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"
import { call, convert, line, links, reply, result, spoken, system, text, user } from "./lines.js"

const hello = user("u", null, "Hello")

describe("A conversion", () => {
  it("has the folder that its lines name, where the path of the file is not known", () => {
    expect(convert(user("u", null, "Hello")).header.cwd).toBe("/home/ada/shop")
  })

  it("has a header with the source, the first folder, and the session that it was forked from", () => {
    const first = user("u", null, "Hello", { forkedFrom: { sessionId: "s0" } })
    const { header } = convertClaudeCode(JSON.stringify(first), { name: "s1", path: "/home/ada/s1.jsonl" })
    const source = { agent: "claude-code", version: "2.1.42", gitBranch: "main", path: "/home/ada/s1.jsonl" }
    expect(header).toMatchObject({
      version: 3,
      id: "s1",
      cwd: "/home/ada/shop",
      timestamp: first.timestamp,
      parentSession: "s0",
      source,
    })
  })

  it("keeps thinking with its signature, redacted thinking, images, and blocks that it does not know", () => {
    const other = { type: "server_tool_use", id: "x" }
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }
    const blocks = [
      { type: "thinking", thinking: "Hm", signature: "sig" },
      { type: "redacted_thinking", data: "xyz" },
      call("c"),
      other,
    ]
    const { entries } = convert(user("u", null, [text("Look"), image]), reply("a", "u", blocks))
    expect(entries[0]).toMatchObject({
      message: { content: [text("Look"), { type: "image", data: "AAAA", mimeType: "image/png" }] },
    })
    const [thinking, redacted] = [
      { thinking: "Hm", thinkingSignature: "sig" },
      { thinkingSignature: "xyz", redacted: true },
    ]
    const toolCall = { type: "toolCall", id: "c", name: "Bash", arguments: { command: "ls" } }
    expect(entries[1]).toMatchObject({
      message: { content: [thinking, redacted, toolCall, other], stopReason: "toolUse", api: "anthropic-messages" },
    })
  })

  it("shows people what the client says to them, and leaves it out of contexts", () => {
    const recap = system("s", "a", "away_summary", { content: "Recap: agate" })
    const attachment = { type: "hook_system_message", hookName: "SessionStart:startup", content: "beryl loaded" }
    const lines = [hello, line("attachment", "h", "u", { attachment }), reply("a", "h", [text("Hi")]), recap]
    const { entries } = convert(...lines, system("e", "s", "api_error"), user("v", "e", "More"))
    expect(entries).toContainEqual(expect.objectContaining({ content: "SessionStart:startup says: beryl loaded" }))
    expect(entries).toContainEqual(
      expect.objectContaining({ customType: "claude-code.away_summary", content: "Recap: agate", display: true }),
    )
    const { messages } = buildSessionContext(entries)
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"])
    expect(sessionStats(entries).messages).toEqual({ user: 2, assistant: 1 })
  })

  it("makes an entry of each result of a line, and a message of what stands beside them", () => {
    const blocks = ["c1", "c2"].map((id) => ({
      type: "tool_result",
      tool_use_id: id,
      content: id,
      is_error: id === "c2",
    }))
    const { entries } = convert(
      hello,
      reply("a", "u", [call("c1"), call("c2", "Read")]),
      user("r", "a", [...blocks, text("And this")]),
    )
    expect(links(entries)).toBe("u< a<u r<a r:1<r r:2<r:1")
    expect(entries[3]).toMatchObject({
      message: { role: "toolResult", toolCallId: "c2", toolName: "Read", isError: true },
    })
    expect(entries[4]).toMatchObject({ message: { role: "user", content: [text("And this")] } })
  })

  it("lists the files that a shell command changed, where the client looked for them", () => {
    const files = [{ filePath: "/shop/a.ts", hunks: [] }, { filePath: "/shop/b.ts", hunks: [], deleted: true }, {}]
    const bashEditDiff = { files, changedFiles: ["/shop/b.ts", "/shop/c.ts"], moreFiles: 1 }
    const lines = [user("u", null, "Hi"), reply("a", "u", [call("c1")])]
    const { entries } = convert(lines, { ...result("r", "a", "c1"), toolUseResult: { stdout: "", bashEditDiff } })
    expect(entries.at(-1)).toMatchObject({
      message: { details: { stdout: "", bashEditDiff, modifiedFiles: ["/shop/b.ts", "/shop/c.ts", "/shop/a.ts"] } },
    })
  })

  it("does not read what a sub-agent used as the usage of its result", () => {
    const { entries } = convert(hello, reply("a", "u", [call("c")]), {
      ...result("r", "a", "c"),
      toolUseResult: { usage: { input_tokens: 5 } },
    })
    expect(sessionStats(entries).total.calls).toBe(1)
  })

  it.each([
    ["end_turn", "stop"],
    ["max_tokens", "length"],
    ["refusal", "error"],
    ["constructor", "constructor"],
  ])("maps the stop reason %s to %s", (stop_reason, stopReason) => {
    expect(convert(hello, reply("a", "u", [text("Yes")], { stop_reason })).entries[1]).toMatchObject({
      message: { stopReason },
    })
  })

  it("has the cost that versions before 1.0.9 say, and what was written to a cache where only its spans are counted", () => {
    const cache_creation = { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 100 }
    const usage = { input_tokens: 1, output_tokens: 2, cache_creation }
    const { entries } = convert(user("u", null, "Go"), reply("a", "u", [text("So.")], { usage }, { costUSD: 0.25 }))
    expect(entries.at(-1)).toMatchObject({
      message: { usage: { cacheWrite: 130, cacheWrite1h: 100, totalTokens: 133, cost: { total: 0.25 } } },
    })
  })

  it.each([
    ["us", undefined, "us"],
    ["us", "fast", "fast-us"],
    ["global", "fast", "fast"],
    ["not_available", undefined, undefined],
  ])("says that a call computed in %s, %s, has another price", (inference_geo, speed, serviceTier) => {
    const advisor = { type: "advisor_message", model: "claude-opus-5", input_tokens: 5, output_tokens: 6 }
    const usage = { input_tokens: 1, output_tokens: 2, inference_geo, speed, iterations: [advisor] }
    const { entries } = convert(hello, reply("a", "u", [text("So.")], { usage }))
    const tiers = sessionStats(entries).usages.map((usage) => usage.serviceTier)
    expect(tiers).toEqual([serviceTier, inference_geo === "us" ? "us" : undefined])
  })

  it("marks a reply that the user interrupted, also while its calls ran", () => {
    const { entries } = convert(
      hello,
      reply("a", "u", [call("c")]),
      result("r", "a", "c"),
      user("i", "r", "[Request interrupted by user]"),
    )
    expect(entries[1]).toMatchObject({ message: { stopReason: "aborted" } })
  })

  it("counts no usage of messages that the client made, and shows their error", () => {
    const error = reply("a", "u", [text("Overloaded")], { model: "<synthetic>" }, { isApiErrorMessage: true })
    const { entries } = convert(hello, error)
    expect(entries[1]).toMatchObject({ message: { stopReason: "error", errorMessage: "Overloaded" } })
    expect(sessionStats(entries).total.calls).toBe(0)
  })

  it("has the lines of the client, and reminders that it wrote down, in the context, but does not display them", () => {
    const reminder = line("attachment", "t", "m", { attachment: { type: "todo_reminder" }, rendered: "Remember" })
    const { entries } = convert(hello, user("m", "u", "Caveat", { isMeta: true }), reminder)
    expect(entries.slice(1)).toMatchObject([
      { type: "custom_message", customType: "claude-code.meta", content: "Caveat", display: false },
      {
        type: "custom_message",
        customType: "claude-code.attachment",
        content: "Remember",
        display: false,
        details: { type: "todo_reminder" },
      },
    ])
  })

  it("gives what a fork copied under new ids those of its source", () => {
    const original = [hello, reply("a", "u", [text("One")]), user("v", "a", "And"), reply("b", "v", [text("Two")])]
    const copies = original.map((one) => {
      const { uuid, parentUuid } = one
      const forkedFrom = { sessionId: "s1", messageUuid: uuid }
      return { ...one, uuid: `${uuid}2`, parentUuid: parentUuid && `${parentUuid}2`, forkedFrom }
    })
    const own = [user("w2", "b2", "Else"), reply("c2", "w2", [text("Three")])]
    const fork = convert(...copies, ...own).entries
    expect(spoken(fork)).toEqual(["Hello", "One", "And", "Two", "Else", "Three"])
    expect(links(fork)).toBe(`${links(convert(...original).entries)} w2<b c2<w2`)
  })

  it("keeps the ids of lines that name the same line of another session", () => {
    const forkedFrom = { sessionId: "s0", messageUuid: "x" }
    const lines = [user("u", null, "Hello", { forkedFrom }), reply("a", "u", [text("One")], {}, { forkedFrom })]
    expect(links(convert(...lines).entries)).toBe("x< a<x")
  })

  it("makes no message of what the queue has when a task begins", () => {
    const content = JSON.stringify({ task_id: "a1", tool_use_id: "c", description: "look", task_type: "local_agent" })
    const [enqueue, remove] = ["enqueue", "remove"].map((operation) => ({ type: "queue-operation", operation }))
    const lines = [hello, reply("a", "u", [call("c")]), { ...enqueue, content }, remove ?? {}]
    const { entries } = convert(...lines, result("r", "a", "c"), reply("b", "r", [text("Ok")]))
    expect(spoken(entries)).toEqual(["Hello", "", "of c", "Ok"])
  })

  it("makes a message of a prompt that left the queue while a call ran, unless another line has it", () => {
    const queue = (operation: string, content?: string) => ({
      type: "queue-operation",
      operation,
      ...(content && { content }),
    })
    const lines = [hello, reply("a", "u", [call("c")]), queue("enqueue", "Next"), queue("remove")]
    const end = [result("r", "a", "c"), reply("b", "r", [text("Ok")])]
    expect(spoken(convert(...lines, ...end).entries)).toEqual(["Hello", "", "of c", "Next", "Ok"])
    const sent = line("attachment", "q", "r", { attachment: { type: "queued_command", prompt: "Next" } })
    expect(spoken(convert(...lines, end[0] ?? {}, sent, reply("b", "q", [text("Ok")])).entries)).toEqual([
      "Hello",
      "",
      "of c",
      expect.stringContaining("\nNext\n"),
      "Ok",
    ])
    const others = [
      queue("enqueue", "<task-notification>x</task-notification>"),
      queue("remove"),
      queue("enqueue", "Back"),
      queue("popAll"),
      queue("enqueue", "Never"),
    ]
    expect(spoken(convert(hello, ...others).entries)).toEqual(["Hello"])
  })

  it("makes a message of a queued command, unless the user's line follows", () => {
    const queued = line("attachment", "q", "u", { attachment: { type: "queued_command", prompt: "Next" } })
    expect(convert(hello, queued).entries[1]).toMatchObject({
      id: "q",
      type: "message",
      message: { role: "user", content: "Next" },
    })
    expect(convert(hello, queued, user("v", "q", "Next")).entries[1]).toMatchObject({ id: "q", type: "custom" })
  })

  it("replaces content, omits what was retracted, and clears no results of a micro-compaction, as Claude Code does not when it resumes", () => {
    const micro = system("b", "r", "microcompact_boundary", { microcompactMetadata: { compactedToolIds: ["c"] } })
    const others = [
      { toolUseId: "gone", replacement: "No" },
      { toolUseId: "c", replacement: "Short" },
    ]
    const replaced = { type: "content-replacement", replacements: others }
    const refusal = system("f", "b", "model_refusal_fallback", { retractedMessageUuids: ["a"] })
    const { entries } = convert(hello, reply("a", "u", [call("c")]), result("r", "a", "c"), micro, replaced, refusal)
    expect(
      entries.flatMap((entry) => (isEntry(entry, "context_edit") ? [[entry.targetId, entry.replacement]] : [])),
    ).toEqual([
      ["r", { content: [text("Short")] }],
      ["a", null],
    ])
  })

  it("shows a title of the user before one of a model, and no summary of another session", () => {
    const titles = [
      { type: "summary", summary: "Other", leafUuid: "elsewhere" },
      { type: "summary", summary: "Own", leafUuid: "u" },
      { type: "custom-title", customTitle: "Mine" },
      { type: "ai-title", aiTitle: "Made" },
    ]
    const { entries } = convert(hello, ...titles)
    expect(entries.flatMap((entry) => (isEntry(entry, "session_info") ? [entry.name] : []))).toEqual(["Own", "Mine"])
    expect(entries.filter(({ type }) => type === "custom")).toHaveLength(2)
  })

  it("labels, and records other models, folders and branches", () => {
    const other = reply("b", "v", [text("Yes")], { model: "claude-haiku-4-5" }, { cwd: "/home/ada/shop/web" })
    const { entries } = convert(
      hello,
      reply("a", "u", [text("Yes")]),
      { type: "tag", tag: "keep" },
      user("v", "a", "More"),
      other,
    )
    expect(entries[2]).toMatchObject({ type: "label", targetId: "a", label: "keep", parentId: "a" })
    expect(entries.slice(4)).toMatchObject([
      {
        id: "b:cwd",
        customType: "claude-code.cwd",
        data: { cwd: "/home/ada/shop/web", gitBranch: "main" },
        parentId: "v",
      },
      { id: "b:model", type: "model_change", provider: "anthropic", modelId: "claude-haiku-4-5", parentId: "b:cwd" },
      { id: "b", parentId: "b:model" },
    ])
  })

  it("keeps what it does not know, and names it", () => {
    const { entries, report } = convert(hello, { type: "dream", depth: 3 }, system("y", "u", "api_error"))
    expect(entries.slice(1)).toMatchObject([
      { id: "line:2", type: "custom", customType: "claude-code.dream", data: { type: "dream", depth: 3 } },
      { id: "y", type: "custom", customType: "claude-code.system" },
    ])
    expect(report.unknownKinds).toEqual(["dream"])
  })

  it("knows the state that Claude Code writes beside the conversation", () => {
    const state = ["agent-setting", "continued-in", "session-owner", "file-history-delta", "derived-from"]
    const { report } = convert(hello, ...state.map((type) => ({ type, sessionId: "s" })))
    expect(report.unknownKinds).toEqual([])
    for (const type of state) expect(report.kinds[type]).toMatchObject({ kept: 1 })
  })

  it("reports a line of another program", () => {
    const { entries, report } = convert(hello, { role: "user", content: "Of another" })
    expect(entries[1]).toMatchObject({ type: "custom", data: { content: "Of another" } })
    expect(report.diagnostics).toMatchObject([{ kind: "not-an-entry", line: 2 }])
  })

  it("skips lines without content, and snapshots that are large, with the reason", () => {
    const snapshot = { type: "file-history-snapshot", snapshot: { files: "x".repeat(70_000) } }
    const { report } = convert(hello, system("y", "u", "turn_duration"), snapshot, { type: "file-history-snapshot" })
    expect(report.kinds["system:turn_duration"]).toEqual({
      converted: 0,
      kept: 0,
      skipped: 1,
      reason: expect.any(String),
    })
    expect(report.kinds["file-history-snapshot"]).toMatchObject({ kept: 1, skipped: 1 })
  })

  it("reads two records on one line, keeps a damaged line, and reports one that is cut off at the end", () => {
    const glued = JSON.stringify(user("v", "u", "More")) + JSON.stringify({ type: "mode", mode: "plan" })
    const { entries, report } = convertClaudeCode(`${JSON.stringify(hello)}\n${glued}\n{"torn\n{"parentUuid":"v","ty`, {
      name: "s1",
    })
    expect(links(entries)).toBe("u< v<u line:2:1<v line:3<line:2:1")
    expect(entries[3]).toMatchObject({ customType: "treelog.damaged", data: { text: '{"torn' } })
    expect(report.diagnostics.map(({ kind, line }) => [kind, line])).toEqual([
      ["glued-records", 2],
      ["invalid-json", 3],
      ["torn-line", 4],
    ])
    expect(report.lines).toBe(5)
  })

  it("makes a transcript of each side chain in the file, whose usage counts in the session", () => {
    const aside = { isSidechain: true }
    const { entries, artifacts } = convert(
      hello,
      user("p", null, "Search", aside),
      reply("q", "p", [text("Found")], {}, aside),
      reply("a", "u", [text("Yes")]),
    )
    expect(links(entries)).toBe(
      "u< part:sidechain-p.jsonl<u usage:msg_q:req_1<part:sidechain-p.jsonl a<usage:msg_q:req_1",
    )
    const transcripts = [...artifacts]
    expect(transcripts).toMatchObject([{ name: "sidechain-p.jsonl", header: { id: "p", parentSession: "s1" } }])
    expect(links(transcripts[0]?.entries ?? [])).toBe("p< q<p")
    expect(sessionStats(entries).total.calls).toBe(2)
  })

  it("counts the replies of sub-agents' files once, by their time, and converts their files", () => {
    const agent = (...lines: object[]) => new TextEncoder().encode(lines.map((one) => JSON.stringify(one)).join("\n"))
    const prompt = user("p", null, "Search", { isSidechain: true })
    const found = reply("q", "p", [text("Found")], {}, { isSidechain: true })
    const session = [hello, line("progress", "g", "u", { data: { type: "agent_progress", message: found } })]
    const parts = [
      { name: "subagents/agent-1.jsonl", bytes: agent(prompt, found) },
      { name: "subagents/agent-acompact-2.jsonl", bytes: agent(reply("k", null, [text("Sum")])) },
    ]
    const { entries, artifacts } = convertClaudeCode(agent(...session), { name: "s1", parts })
    expect(entries.map(({ id }) => id)).toEqual([
      "u",
      "part:subagents/agent-1.jsonl",
      "usage:msg_q:req_1",
      "usage:msg_k:req_1",
    ])
    expect([...artifacts].map(({ name, entries }) => [name, entries.length])).toEqual([["subagents/agent-1.jsonl", 2]])
  })

  it("counts a reply once that a sub-agent's file repeats under another request", () => {
    const own = reply("a", "u", [text("Yes")], { usage: { input_tokens: 10 } })
    const aside = { isSidechain: true, requestId: "req_2" }
    const repeated = { ...own, uuid: "a2", parentUuid: null, ...aside }
    const lines = [repeated, user("p", "a2", "And this?", aside), reply("q", "p", [text("So")], {}, aside)]
    const bytes = new TextEncoder().encode(lines.map((one) => JSON.stringify(one)).join("\n"))
    const session = `${JSON.stringify(hello)}\n${JSON.stringify(own)}\n`
    const { entries } = convertClaudeCode(session, { name: "s1", parts: [{ name: "subagents/agent-1.jsonl", bytes }] })
    expect(sessionStats(entries).total).toMatchObject({ calls: 2, input: 11 })
  })

  it.each([
    ["a document", '{\n  "a": 1\n}\n', false],
    ["a text", "Notes\n", false],
    ["a record that is cut", '{"parentUuid":nul\n', true],
    ["what a failed disk leaves", "\0\0\0\0\n", true],
  ])("refuses what has no line of Claude Code: %s", (_, text, isDamaged) => {
    expect(() => convertClaudeCode(text, { name: "s1" })).toThrow(
      expect.toSatisfy((error) => isTreelogError(error, "InvalidSessionError") && error.data.isDamaged === isDamaged),
    )
  })
})

describe("A reply at the end", () => {
  const ended = reply("a", "u", [text("Yes")], { stop_reason: "end_turn" })
  const open = reply("b", "v", [text("I")])

  it("is held back while it may grow, in a file whose replies say why they stopped", () => {
    const { entries, report } = convert(hello, ended, user("v", "a", "More"), open)
    expect(links(entries)).toBe("u< a<u v<a")
    expect(report.kinds.assistant).toMatchObject({ converted: 1, skipped: 1 })
  })

  it("is shown with the id that it keeps where nothing is added to the file any more", () => {
    const before = [hello, ended, user("v", "a", "More"), open]
    const idsOf = (isComplete: boolean, ...more: object[]) => {
      const lines = [...before, ...more].map((one) => `${JSON.stringify(one)}\n`)
      return convertClaudeCode(lines.join(""), { name: "s1", isComplete }).entries.map(({ id }) => id)
    }
    expect(idsOf(false)).toEqual(["u", "a", "v"])
    expect(idsOf(true)).toEqual(["u", "a", "v", "b"])
    expect(idsOf(false, user("w", "b", "Stop"))).toEqual(["u", "a", "v", "b", "w"])
  })

  it("holds back what sub-agents use after it, also where a record before it says a later time", () => {
    const at = (second: number) => ({ timestamp: `2026-03-01T10:00:0${second}.000Z` })
    const agentAt = (second: number) => reply("q", "p", [text("Found")], {}, { isSidechain: true, ...at(second) })
    const lines = [hello, ended, { ...user("v", "a", "More"), ...at(9) }, { ...open, ...at(5) }]
    const countedAt = (second: number) => {
      const bytes = new TextEncoder().encode(`${JSON.stringify(agentAt(second))}\n`)
      const options = { name: "s1", parts: [{ name: "subagents/agent-1.jsonl", bytes }] }
      const { entries } = convertClaudeCode(lines.map((one) => `${JSON.stringify(one)}\n`).join(""), options)
      return entries.filter(({ id }) => id.startsWith("usage:")).length
    }
    expect([4, 5, 7].map(countedAt)).toEqual([1, 0, 0])
  })

  it("is shown once something follows it, and in files whose replies never say so", () => {
    expect(links(convert(hello, ended, user("v", "a", "More"), open, user("w", "b", "Stop")).entries)).toContain("b<v")
    expect(links(convert(hello, open).entries)).toContain("b<")
  })
})
