import { type CodexSession, convertCodex } from "@treelog/agents/codex"
import { sessionStats } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"
import { A, B, entriesOf, event, file, input, item, meta, only, said, text } from "./rollout-lines.js"

const texts = (session: CodexSession) => input(session).map((one) => JSON.stringify(one))

describe("a rollout", () => {
  it("is the one with the latest time in its name, where a thread has several, as for Codex", () => {
    const lines = [meta(A), said("user", "One"), said("assistant", "1")]
    const longer = [...lines, said("user", "Two"), said("assistant", "2")]
    for (const files of [
      [file(A, lines), file(A, longer, "15-00-00")],
      [file(A, longer, "15-00-00"), file(A, lines)],
    ])
      expect(texts(only(...files))).toHaveLength(4)
  })

  it("gives the calls of custom tools back as such, with their results", () => {
    const session = only(
      file(A, [
        meta(A),
        said("user", "patch it"),
        item({ type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin Patch" }),
        item({
          type: "custom_tool_call_output",
          call_id: "c1",
          output: "Exit code: 1\nWall time: 0 seconds\nOutput:\nno",
        }),
        item({ type: "function_call", call_id: "c2", name: "list", namespace: "mcp__t", arguments: '{"a":1}' }),
        item({ type: "function_call_output", call_id: "c2", output: "ok" }),
        item({ type: "custom_tool_call", call_id: "c3", name: "apply_patch", input: "*** Begin Patch" }),
        item({ type: "custom_tool_call_output", call_id: "c3", output: "apply_patch verification failed: no file" }),
      ]),
    )
    expect(input(session).slice(1)).toEqual([
      { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: "*** Begin Patch" },
      { type: "custom_tool_call_output", call_id: "c1", output: "Exit code: 1\nWall time: 0 seconds\nOutput:\nno" },
      { type: "function_call", call_id: "c2", name: "list", namespace: "mcp__t", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "c2", output: "ok" },
      { type: "custom_tool_call", call_id: "c3", name: "apply_patch", input: "*** Begin Patch" },
      { type: "custom_tool_call_output", call_id: "c3", output: "apply_patch verification failed: no file" },
    ])
    const results = entriesOf(session).filter((entry) => JSON.stringify(entry).includes('"role":"toolResult"'))
    expect(results.map((entry) => "message" in entry && (entry.message as { isError?: boolean }).isError)).toEqual([
      true,
      false,
      true,
    ])
  })

  it.each([
    ["0.42.0", "gpt-5-codex", "stored"],
    ["0.45.0", "gpt-5-codex", "text"],
    ["0.58.0", "gpt-5.1", "text"],
    ["0.77.0", "gpt-5", "stored"],
    ["0.98.0", "gpt-5-codex", "stored"],
  ])("sends the result of a command as Codex %s sent it to %s: %s", (cli_version, model, form) => {
    const output = JSON.stringify({ output: "one\n", metadata: { exit_code: 3, duration_seconds: 0.1 } })
    const lines = [
      meta(A, { cli_version }),
      ["turn_context", { model }] as const,
      said("user", "look"),
      item({ type: "function_call", call_id: "c1", name: "shell", arguments: "{}" }),
      item({ type: "function_call_output", call_id: "c1", output }),
    ]
    const session = only(file(A, lines))
    const sent = form === "text" ? "Exit code: 3\nWall time: 0.1 seconds\nOutput:\none\n" : output
    expect(input(session).at(-1)).toMatchObject({ type: "function_call_output", output: sent })
    expect(entriesOf(session).at(-1)).toMatchObject({ message: { isError: true, details: { exit_code: 3 } } })
  })

  it("sends what Codex sends for a call whose process was killed, before and after it has gone on", () => {
    const call = (call_id: string) => item({ type: "function_call", call_id, name: "exec_command", arguments: "{}" })
    const output = item({ type: "function_call_output", call_id: "c1", output: "quick" })
    const killed = [meta(A), said("user", "look"), call("c1"), call("c2"), output]
    // Codex puts it right behind its call.
    const sent = [
      { type: "function_call_output", call_id: "c2", output: "aborted" },
      { type: "function_call_output", call_id: "c1", output: "quick" },
    ]
    expect(input(only(file(A, killed))).slice(3)).toEqual(sent)
    const next = input(only(file(A, [...killed, said("user", "And now?"), said("assistant", "Yes")])))
    expect(next.slice(3, 5)).toEqual(sent)
    expect(next).toHaveLength(7)
  })

  it("shows people an error, which the model does not get", () => {
    const error = event("error", { message: "You've hit your usage limit", codex_error_info: "usage_limit_exceeded" })
    const lines = [
      meta(A),
      said("user", "go"),
      said("assistant", "I"),
      error,
      event("error", {}),
      said("user", "again"),
    ]
    const session = only(file(A, lines))
    expect(entriesOf(session)).toContainEqual(
      expect.objectContaining({
        type: "custom_message",
        customType: "codex.error",
        content: "You've hit your usage limit",
        details: { codex_error_info: "usage_limit_exceeded" },
      }),
    )
    expect(texts(session)).toHaveLength(3)
    expect(JSON.stringify(texts(session))).not.toContain("limit")
  })

  it("shows people what was said by voice, which the model does not get", () => {
    const voice = (fields: object) => ["realtime_item", { id: "r", realtime_session_id: "s", ...fields }] as const
    const spoken = (role: string, text: string) => voice({ type: "transcript_segment", role, text })
    const started = voice({ type: "realtime_session_started" })
    const lines = [meta(A), started, spoken("user", "Hear"), spoken("assistant", "I do"), said("user", "go")]
    const session = only(file(A, lines))
    const messages = entriesOf(session).flatMap((entry) => (entry.type === "message" ? [entry.message] : []))
    expect(messages).toMatchObject([
      { role: "user", content: [{ text: "Hear" }] },
      { role: "assistant", content: [{ text: "I do" }] },
      { role: "user", content: [{ text: "go" }] },
    ])
    expect(texts(session)).toHaveLength(1)
    expect(session.report.unknownKinds).toEqual([])
  })

  it("leaves a reply one that has an error between its calls", () => {
    const call = (call_id: string) => item({ type: "function_call", call_id, name: "shell", arguments: "{}" })
    const calls = [call("c1"), event("error", { message: "Slow" }), call("c2")]
    const session = only(file(A, [meta(A), said("user", "go"), ...calls, said("user", "And now?")]))
    const [, reply] = entriesOf(session).filter(({ type }) => type === "message")
    expect(reply).toMatchObject({ message: { content: [{ id: "c1" }, { id: "c2" }] } })
    expect(entriesOf(session)).toContainEqual(expect.objectContaining({ customType: "codex.error" }))
  })

  it("keeps turns that were rolled back as a branch, and goes on before them", () => {
    const session = only(
      file(A, [
        meta(A),
        said("user", "one"),
        said("assistant", "1"),
        said("user", "two"),
        said("assistant", "2"),
        event("thread_rolled_back", { num_turns: 1 }),
        said("user", "two"),
      ]),
    )
    expect(texts(session).join()).not.toContain('"2"')
    expect(input(session)).toHaveLength(3)
    expect(new Set(entriesOf(session).map(({ id }) => id)).size).toBe(session.entries.length)
  })

  it("ends where it was rolled back to when nothing follows", () => {
    const session = only(
      file(A, [
        meta(A),
        said("user", "one"),
        said("assistant", "1"),
        said("user", "two"),
        event("thread_rolled_back", { num_turns: 1 }),
      ]),
    )
    expect(entriesOf(session).at(-1)).toMatchObject({ type: "custom", customType: "treelog.leaf" })
    expect(input(session)).toHaveLength(2)
  })

  it("has the service tier that the settings before a response name, where it has a price of its own", () => {
    const settings = (service_tier: unknown) => event("thread_settings_applied", { thread_settings: { service_tier } })
    const counts = (total: number) =>
      event("token_count", { info: { total_token_usage: { input_tokens: total, total_tokens: total } } })
    const turns = ["priority", "default", null, "fast"].flatMap((tier, at) => [
      settings(tier),
      said("user", "go"),
      said("assistant", "ok"),
      counts(10 * (at + 1)),
    ])
    const { usages } = sessionStats(entriesOf(only(file(A, [meta(A), ...turns]))))
    expect(usages.map(({ serviceTier, usage }) => [serviceTier, usage.input])).toEqual([
      ["priority", 10],
      [undefined, 20],
      ["fast", 10],
    ])
  })

  it("has the usage of each response once, and that of a compaction in its entry", () => {
    const counts = (total: number) =>
      event("token_count", {
        info: { total_token_usage: { input_tokens: total, output_tokens: 0, total_tokens: total } },
      })
    const session = only(
      file(A, [
        meta(A),
        ["turn_context", { model: "gpt-5.5" }],
        said("user", "one"),
        said("assistant", "1"),
        counts(10),
        counts(10),
        counts(25),
        ["compacted", { message: "sum" }],
      ]),
    )
    const usages = entriesOf(session).flatMap((entry) =>
      "usage" in entry ? [entry.usage] : "message" in entry ? [(entry.message as { usage?: unknown }).usage ?? []] : [],
    )
    expect(usages.flat()).toMatchObject([{ input: 10 }, { input: 15 }])
    const compaction = entriesOf(session).find(({ type }) => type === "compaction")
    expect(compaction).toMatchObject({ provider: "openai", model: "gpt-5.5" })
  })

  it("gives the model of versions up to 0.53 one message of prompts and summary, and that again as a prompt of the next", () => {
    const session = only(
      file(A, [
        meta(A, { cli_version: "0.53.0" }),
        said("user", "one"),
        ["compacted", { message: "sum" }],
        said("user", "two"),
        ["compacted", { message: "both" }],
      ]),
    )
    const histories = entriesOf(session).flatMap(({ type, preserveData }: { type: string; preserveData?: unknown }) =>
      type === "compaction" ? JSON.stringify(preserveData) : [],
    )
    const wording = histories.map((text) =>
      text.replace(/You were originally[^:]*:/g, "P").replace(/Another[^:]*:/g, "S"),
    )
    expect(wording[0]).toContain(String.raw`"P\n\none\n\nS\n\nsum"`)
    expect(wording[1]).toContain(String.raw`"P\n\nP\n\none\n\nS\n\nsum\n\ntwo\n\nS\n\nboth"`)
    expect(histories[1]).toContain("use the information in this summary to assist with your own analysis:")
  })

  it("gives the model of later versions each prompt and the summary as messages of their own, however the summary begins", () => {
    const lines = [meta(A, { cli_version: "0.55.0" }), said("user", "one"), ["compacted", { message: "sum" }] as const]
    expect(input(only(file(A, lines)))).toMatchObject(
      ["one", "sum"].map((text) => ({ role: "user", content: [{ type: "input_text", text }] })),
    )
    const message = "Another language model started to solve this problem and produced a summary of it: sum"
    const wentOn = [meta(A, { cli_version: "0.45.0" }), said("user", "one"), ["compacted", { message }] as const]
    expect(input(only(file(A, wentOn)))).toMatchObject(
      ["one", message].map((text) => ({ role: "user", content: [{ type: "input_text", text }] })),
    )
  })

  it("keeps of a compaction what it says of itself, and no histories, of which each would have all of the thread again", () => {
    const histories = { replacement_history: [], retained_context: {}, guardian_history: [{ role: "user" }] }
    const lines = [
      meta(A),
      said("user", "one"),
      ["compacted", { message: "sum", window_number: 2, ...histories }] as const,
    ]
    const compaction = entriesOf(only(file(A, lines))).find(({ type }) => type === "compaction")
    expect(compaction).toMatchObject({ summary: expect.stringContaining("sum") })
    expect(compaction).toHaveProperty("details", { window_number: 2 })
  })

  it("keeps lines of unknown kinds, and names them", () => {
    const session = only(file(A, [meta(A), ["dream", { of: "carts" }], event("hum", { tune: 1 })]))
    expect(session.report.unknownKinds).toEqual(["dream", "event_msg:hum"])
    expect(entriesOf(session)).toMatchObject([
      { type: "custom", customType: "codex.dream", data: { of: "carts" } },
      { type: "custom", customType: "codex.hum", data: { type: "hum", tune: 1 } },
    ])
  })

  it("keeps a line that cannot be read, and leaves out a last one that is not complete", () => {
    const whole = text([meta(A), said("user", "one")])
    const bytes = new TextEncoder().encode(`${whole}{"broken\n${text([said("user", "two")])}{"half`)
    const session = only({ name: `rollout-2026-03-07T14-00-00-${A}.jsonl`, bytes })
    expect(entriesOf(session)[1]).toMatchObject({ customType: "treelog.damaged", data: { text: '{"broken' } })
    expect(session.report.kinds.torn).toMatchObject({ skipped: 1 })
    expect(session.report.lines).toBe(5)
  })

  it("reads records that were glued together, also behind a torn one", () => {
    const lines = text([meta(A), said("user", "One"), said("assistant", "Two"), said("user", "Three")]).split("\n")
    const glued = `${lines[0]}\n${lines[1]}${lines[2]}\n${lines[0]?.slice(0, 40)}${lines[3]}\n`
    const session = only({ ...file(A, []), bytes: new TextEncoder().encode(glued) })
    expect(texts(session).map((one) => /One|Two|Three/.exec(one)?.[0])).toEqual(["One", "Two", "Three"])
    expect(session.report.diagnostics.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      "glued-records 2",
      "glued-records 3",
    ])
    expect(session.entries.filter((one) => "customType" in one && one.customType === "treelog.damaged")).toHaveLength(1)
  })

  it("is read in the form of 2025, where items have no envelope", () => {
    const bare = [
      { id: A, timestamp: "2025-05-01T10:00:00.000Z", instructions: "Be brief." },
      { record_type: "state" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "one" }] },
    ]
    const bytes = new TextEncoder().encode(bare.map((line) => `${JSON.stringify(line)}\n`).join(""))
    const session = only({ name: `rollout-2025-05-01T10-00-00-${A}.jsonl`, bytes })
    expect(entriesOf(session)).toMatchObject([{ type: "session_init", systemPrompt: "Be brief." }, { type: "message" }])
    expect(session.report.unknownKinds).toEqual([])
  })
})

describe("threads together", () => {
  it("give a legacy fork the ids of its parent, and none of its usage", () => {
    const counts = event("token_count", {
      info: { total_token_usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10 } },
    })
    const conversation = [said("user", "one"), said("assistant", "1"), counts]
    const parent = file(A, [meta(A), ...conversation])
    const fork = file(B, [meta(B, { forked_from_id: A }), meta(A), ...conversation, said("user", "mine")], "15-00-00")
    const [first, second] = convertCodex([parent, fork]).sessions
    const ids = (session: CodexSession | undefined) =>
      entriesOf(session ?? { entries: [] }).flatMap(({ type, id }) => (type === "message" ? id : []))
    expect(second?.header.parentSession).toBe(A)
    expect(ids(second).slice(0, 2)).toEqual(ids(first))
    expect(sessionStats(second?.entries ?? []).total.calls).toBe(0)
  })

  it("make a sub-agent's thread an artifact of the thread that started it", () => {
    const child = file(B, [meta(B, { parent_thread_id: A }), said("user", "count")], "15-00-00")
    const session = only(file(A, [meta(A)]), child)
    expect(session.artifacts).toMatchObject([{ name: `${B}.jsonl`, header: { id: B, parentSession: A } }])
    expect(only(child).header.id).toBe(B)
  })
})
