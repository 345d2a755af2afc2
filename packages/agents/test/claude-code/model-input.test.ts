import { createHash } from "node:crypto"
import { buildSessionContext, isEntry } from "@treelog/session-core"
import { contextFidelity } from "@treelog/session-core/adapter"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { sessionStats } from "@treelog/session-core/search"
import { describe, expect, it } from "vitest"
import { call, convert, line, reply, result, spoken, system, text, user } from "./lines.js"

const hello = user("u", null, "Hello")
const attachment = (id: string, parent: string, fields: object, rendered: unknown) =>
  line("attachment", id, parent, { attachment: fields, rendered, renderedRole: "user" })

describe("What the model gets of a session of Claude Code", () => {
  it("has reminders as texts, blocks, or messages without a role, those of the user before the prompt and those of the system behind it", () => {
    const { entries } = convert(
      hello,
      line("attachment", "t0", "u", {
        attachment: { type: "date" },
        rendered: "of the system",
        renderedRole: "system",
      }),
      attachment("t1", "t0", { type: "file" }, [{ content: "<system-reminder>\nof a file\n</system-reminder>" }]),
      attachment("t2", "t1", { type: "skill_listing" }, [
        { content: [text("one"), text("two")] },
        { content: "three" },
      ]),
      attachment("t3", "t2", { type: "date_change" }, [text("today")]),
      reply("a", "t3", [text("Yes")]),
    )
    expect(spoken(entries)).toEqual([
      "<system-reminder>\nof a file\n</system-reminder>",
      "one\ntwo\nthree",
      "today",
      "Hello",
      "of the system",
      "Yes",
    ])
    expect(entries.slice(1, 5)).toMatchObject(Array(4).fill({ type: "custom_message", display: false }))
  })

  it("has a result in the client's words for a call whose session ended, before the client has written it", () => {
    const asked = [hello, reply("a", "u", [call("c"), call("d")]), result("r", "a", "c")]
    const { messages } = buildSessionContext(convert(asked).entries)
    expect(messages.slice(2)).toMatchObject([
      { role: "toolResult", toolCallId: "c", isError: false },
      { role: "toolResult", toolCallId: "d", isError: true },
    ])
    expect(spoken(convert(asked).entries).at(-1)).toMatch(/^\[Tool call interrupted: the session ended before/)
    expect(spoken(convert(asked, result("r2", "r", "d")).entries).slice(2)).toEqual(["of c", "of d"])
  })

  it("has calls by the names that their tools have today, and the session those that were written", () => {
    const old = call("c", "Task")
    const thought = { type: "thinking", thinking: "Hm", signature: "s" }
    const lines = [hello, reply("a", "u", [thought, text("Let me"), old, call("d")]), result("r", "a", "c")]
    const ends = [[], [user("v", "r", "Next")], [user("v", "r", "Next"), reply("b", "v", [text("Yes")])]]
    for (const end of ends) {
      const { entries } = convert(...lines, ...end)
      const names = (all: readonly object[]) => JSON.stringify(all).match(/"name":"(?:Task|Agent|Bash)"/g) ?? []
      expect(names(buildSessionContext(entries).messages)[0]).toBe('"name":"Agent"')
      expect(names(entries.filter(({ type }) => type === "message"))[0]).toBe('"name":"Task"')
    }
  })

  it("leaves out the lines of a reply whose calls have no result once something else was said", () => {
    const lost = reply("a", "u", [text("Let me"), call("c")])
    const split = [reply("a", "u", [text("Let me")], { id: "m" }), reply("b", "a", [call("c")], { id: "m" })]
    const half = reply("a", "u", [text("Let me"), call("c"), call("d")])
    const next = user("v", "a", "Next")
    expect(spoken(convert(hello, lost, next).entries)).toEqual(["Hello", "Next"])
    expect(spoken(convert(hello, split, user("v", "b", "Next")).entries)).toEqual(["Hello", "Let me", "Next"])
    expect(spoken(convert(hello, half, result("r", "a", "d"), user("v", "r", "Next")).entries)).toHaveLength(5)
    const thought = reply("t", "a", [{ type: "thinking", thinking: "Hm" }])
    expect(spoken(convert(hello, lost, thought).entries)).toHaveLength(3)
    expect(spoken(convert(hello, lost, thought, user("v", "t", "Next")).entries)).toEqual(["Hello", "Next"])
    const kept = { compactMetadata: { preservedMessages: { anchorUuid: "s", uuids: ["u", "a"] } } }
    const compacted = [
      system("b", null, "compact_boundary", kept),
      user("s", "b", "So far", { isCompactSummary: true }),
    ]
    expect(spoken(convert(hello, lost, compacted, user("v", "s", "Next")).entries)).toEqual(["So far", "Hello", "Next"])
  })

  it("has reminders behind a prompt whose request failed, before the one that they were made for", () => {
    const failed = { model: "<synthetic>", stop_reason: "stop_sequence" }
    const { entries } = convert(
      hello,
      reply("e", "u", [text("API Error: 400")], failed, { isApiErrorMessage: true }),
      user("v", "e", "Again"),
      attachment("t", "v", { type: "date" }, [{ content: "<system-reminder>\ntoday\n</system-reminder>" }]),
      reply("a", "t", [text("Yes")]),
    )
    expect(spoken(entries)).toEqual(["Hello", "<system-reminder>\ntoday\n</system-reminder>", "Again", "Yes"])
  })

  it("leaves out replies of thoughts alone and without a word, as the client does, and sends its notes as reminders", () => {
    const thought = { type: "thinking", thinking: "Hm", signature: "c2ln" }
    const note = { isMeta: true, ownNote: true }
    const hook = { isMeta: true, hookText: true }
    const { entries } = convert(
      hello,
      reply("a", "u", [thought]),
      user("n", "a", "Go on, please", note),
      reply("b", "n", [thought, text(" \n")]),
      user("h", "b", "No", hook),
      user("k", "h", "Not yet", { ...hook, hookTextLead: "The text below is the output of a hook of Ada." }),
      reply("c", "k", [thought, text("Yes")]),
    )
    const reminder = (words: string): string => `<system-reminder>\n${words}\n</system-reminder>`
    expect(spoken(entries)).toEqual([
      "Hello",
      reminder("Go on, please"),
      reminder("The text below is the output of a hook, not a message from the user.\nNo"),
      reminder("The text below is the output of a hook of Ada.\nNot yet"),
      "Yes",
    ])
    expect(entries.find(({ id }) => id === "a")).toMatchObject({ message: { content: [{ thinking: "Hm" }] } })
  })

  it("has no thoughts of another model, as the client sends none", () => {
    const said = (model: string) => [{ type: "thinking", thinking: `By ${model}`, signature: "c2ln" }, text(model)]
    const { entries } = convert(
      hello,
      reply("a", "u", said("claude-one"), { model: "claude-one" }),
      user("v", "a", "And now?"),
      reply("b", "v", said("claude-two"), { model: "claude-two" }),
    )
    const target = { provider: "anthropic", model: "claude-two" }
    const { messages } = toAnthropicMessages(buildSessionContext(entries).messages, { target })
    expect((messages as { content: object[] }[]).flatMap(({ content }) => content)).toMatchObject([
      text("Hello"),
      text("claude-one"),
      text("And now?"),
      { type: "thinking", thinking: "By claude-two" },
      text("claude-two"),
    ])
  })

  it("has reminders before the prompt and within results where the model gets no messages of the system", () => {
    const model = "claude-old"
    const request = (id: string, ...tail: string[]) => ({
      type: "api-request",
      id,
      shapeHash: "s",
      tail,
      params: { model },
    })
    const reminds = (id: string, parent: string, fields: object) =>
      line("attachment", id, parent, { attachment: { type: "date" }, rendered: `<r>${id}</r>`, ...fields })
    const lines = [
      hello,
      reminds("t1", "u", { renderedRole: "system" }),
      reminds("t2", "t1", { renderedRole: "user", renderedBesideToolResult: true }),
      { type: "api-request-shape", shapeHash: "s" },
      request("q1", "d1"),
      reply("a", "t2", [call("c")], { model }, { requestRef: "q1" }),
      result("r", "a", "c"),
      reminds("t3", "r", { renderedRole: "system" }),
      reminds("t4", "t3", { renderedRole: "user", renderedBesideToolResult: true }),
      reply("b", "t4", [text("Yes")], { model }, { requestRef: "q1" }),
    ]
    expect(spoken(convert(lines).entries)).toEqual([
      "<r>t1</r>",
      "<r>t2</r>",
      "Hello",
      "",
      "of c\n\n<r>t3</r>",
      "<r>t4</r>",
      "Yes",
    ])
    const blob = { type: "api-request-blob", hash: "d1", message: { role: "system", content: [text("<r>t1</r>")] } }
    const tagged = { ...blob, message: { role: "system", content: [text("<system-reminder>\n1\n</system-reminder>")] } }
    const more = [
      user("v", "b", "More"),
      reminds("t5", "v", { renderedRole: "system" }),
      reminds("t6", "t5", { renderedRole: "system" }),
      reply("d", "t6", [text("No")], { model }),
    ]
    expect(spoken(convert(tagged, lines, more).entries).slice(-3)).toEqual(["More", "<r>t5</r>\n\n<r>t6</r>", "No"])
    expect(spoken(convert(blob, lines).entries)).toEqual([
      "<r>t2</r>",
      "Hello",
      "<r>t1</r>",
      "",
      "of c",
      "<r>t4</r>",
      "<r>t3</r>",
      "Yes",
    ])
  })

  it("does not guess at a reminder of another form, which is kept as it is", () => {
    const { entries } = convert(hello, attachment("t", "u", { type: "file" }, [{ content: "one" }, 7]))
    expect(entries[1]).toMatchObject({ type: "custom", customType: "claude-code.attachment" })
  })

  it("has a prompt that waited as the user's, also where the words around it are known", () => {
    const prompt = { type: "queued_command", prompt: "Also this", commandMode: "prompt" }
    const rendered = [{ content: "<system-reminder>\nThe user sent a new message: Also this\n</system-reminder>" }]
    const { entries } = convert(
      hello,
      reply("a", "u", [call("c")]),
      result("r", "a", "c"),
      attachment("q", "r", prompt, rendered),
      attachment("n", "q", { ...prompt, commandMode: "task-notification" }, rendered),
    )
    expect(entries[3]).toMatchObject({ type: "message", message: { role: "user", content: "Also this" } })
    expect(entries[5]).toMatchObject({ type: "custom_message", display: false })
    expect(spoken(entries)[4]).toBe("The user sent a new message: Also this")
  })

  it("has a prompt that waited in the client's words where its line has none, and its picture behind them", () => {
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } }
    const { entries } = convert(
      hello,
      reply("a", "u", [call("c")]),
      result("r", "a", "c"),
      line("attachment", "q", "r", { attachment: { type: "queued_command", prompt: [text("See"), picture] } }),
    )
    const sent = toAnthropicMessages(buildSessionContext(entries).messages).messages.at(-1)?.content
    expect(sent).toMatchObject([
      { type: "tool_result" },
      {
        text: expect.stringMatching(
          /^The user sent a new message while you were working:\nSee\n\nThis is how [^\n]* this turn\.$/,
        ),
      },
      { type: "image" },
    ])
  })

  it("has a prompt that waited within the result, with the reminders around it, for a model without messages of the system", () => {
    const reminder = (said: string) => `<system-reminder>\n${said}\n</system-reminder>`
    const behind = (id: string, parent: string, fields: object, said: string) =>
      line("attachment", id, parent, {
        attachment: fields,
        rendered: [{ content: reminder(said) }],
        renderedRole: "system",
      })
    const spokenOf = (prompt: unknown, hooked?: string) => {
      const { entries } = convert(
        line("api-request", "x", null, { id: "x", params: { model: "small" }, tail: ["t"] }),
        hello,
        reply("a", "u", [call("c")], { model: "small" }),
        hooked ? behind("p", hooked, { type: "hook_additional_context" }, "before the call") : [],
        result("r", "a", "c"),
        behind("h", "r", { type: "hook_additional_context" }, "of a tool"),
        prompt === "Also"
          ? behind("q", "h", { type: "queued_command", prompt }, "They said: Also")
          : line("attachment", "q", "h", { attachment: { type: "queued_command", prompt } }),
        behind("k", "q", { type: "hook_additional_context" }, "of a prompt"),
        reply("b", "k", [text("Yes")], { id: "m2", model: "small" }),
      )
      return toAnthropicMessages(buildSessionContext(entries).messages).messages[2]?.content
    }
    expect(spokenOf("Also")).toMatchObject([
      {
        content: [
          {
            text: ["of c", reminder("of a tool"), reminder("They said: Also"), reminder("of a prompt")].join("\n\n"),
          },
        ],
      },
    ])
    expect(spokenOf("Also", "a")).toMatchObject([
      { content: [{ text: "of c" }] },
      { text: reminder("before the call") },
      { text: reminder("of a tool") },
      { text: reminder("They said: Also") },
      { text: reminder("of a prompt") },
    ])
    const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } }
    expect(spokenOf([text("See"), picture])).toMatchObject([
      { content: [{ text: "of c" }] },
      { text: reminder("of a tool") },
      { text: expect.stringMatching(/^<system-reminder>\nThe user sent[\s\S]*<\/system-reminder>$/) },
      { type: "image" },
      { text: reminder("of a prompt") },
    ])
  })

  it("has a notice of a task in the words around it that the client sends, where no request was recorded", () => {
    const notice = "<task-notification>\n<status>completed</status>\n</task-notification>"
    const lines = [
      hello,
      reply("a", "u", [text("Yes")]),
      user("n", "a", notice, { origin: { kind: "task-notification" } }),
    ]
    const { entries } = convert(...lines, reply("b", "n", [text("Done")], { id: "m2" }))
    expect(entries.find(({ id }) => id === "n")).toMatchObject({ message: { content: notice } })
    expect(spoken(entries)[2]).toMatch(
      /^<system-reminder>\n\[SYSTEM NOTIFICATION - NOT USER INPUT\]\n[\s\S]*\n\n<task-/,
    )
    expect(spoken(entries)[2]).toContain(`${notice}\n</system-reminder>`)
  })

  it("has a notice in the words of the recorded request, and an image that the user named", () => {
    const notice = "<task-notification>\n<status>completed</status>\n</task-notification>"
    const blob = { role: "user", content: [text("Before"), text(`<system-reminder>\nNOT USER INPUT\n${notice}`)] }
    const image = { type: "image", file: { base64: "AAAA", type: "image/png" } }
    const { entries } = convert(
      hello,
      line("attachment", "i", "u", { attachment: { type: "file", filename: "/p/a.png", content: image } }),
      reply("a", "i", [text("Yes")]),
      user("n", "a", notice),
      { type: "api-request-blob", hash: "00", message: { role: "system", content: [] } },
      { type: "api-request-blob", hash: "11", message: blob },
      reply("b", "n", [text("Done")], { id: "m2" }),
    )
    const { messages } = buildSessionContext(entries)
    expect(messages.map((message) => "content" in message && message.content)).toMatchObject([
      [{ text: expect.stringContaining('{"file_path":"/p/a.png"}') }, { type: "image", data: "AAAA" }],
      "Hello",
      [text("Yes")],
      blob.content[1]?.text,
      [text("Done")],
    ])
    expect(entries.find(({ id }) => id === "n")).toMatchObject({ message: { content: notice } })
  })

  it("is exact where the file has the request of the last reply, with what it goes on from", () => {
    const shape = { type: "api-request-shape", shapeHash: "s", shape: { system: [] } }
    const first = { type: "api-request", id: "r1", shapeHash: "s", keep: 0, tail: ["1"] }
    const next = { type: "api-request", id: "r2", shapeHash: "s", base: "r1", keep: 1, tail: ["2"] }
    const said = (id: string) => [user("u", null, "Hi"), reply("a", "u", [text("Yes")], {}, { requestRef: id })]
    const exactness = (...lines: object[]) =>
      contextFidelity(buildSessionContext(convert(...(lines as Parameters<typeof convert>)).entries)).exactness
    expect(exactness(shape, first, next, ...said("r2"))).toBe("exact")
    expect(exactness(shape, next, ...said("r2"))).toBe("approximate")
    expect(exactness(first, ...said("r1"))).toBe("approximate")
    expect(exactness(shape, first, ...said("of the original"))).toBe("approximate")
    const called = [user("u", null, "Hi"), reply("c", "u", [call("k")], {}, { requestRef: "r1" })]
    const hook = attachment("h", "c", { type: "hook_additional_context" }, [{ content: "Of a hook" }])
    const answered = [result("r", "c", "k"), reply("a", "r", [text("Yes")], {}, { requestRef: "r2" })]
    const sent = '{"content":[{"id":"k","input":{"command":"ls"},"name":"Bash","type":"tool_use"}],"role":"assistant"}'
    const withCall = { ...next, tail: [createHash("sha256").update(sent).digest("hex")] }
    expect(exactness(shape, first, withCall, ...called, ...answered)).toBe("exact")
    expect(exactness(shape, first, withCall, ...called, hook, ...answered)).toBe("exact")
    // The request has another reply in the place of the one that the file has before it.
    expect(exactness(shape, first, next, ...called, ...answered)).toBe("approximate")
  })

  it("has the output of local commands, which is displayed", () => {
    const { entries } = convert(
      hello,
      reply("a", "u", [text("Yes")]),
      system("l", "a", "local_command", { content: "<command-name>/cost</command-name>" }),
      system("m", "l", "local_command", { content: "<local-command-stdout>$0.00</local-command-stdout>" }),
      user("v", "m", "More"),
    )
    expect(spoken(entries).slice(2, 4)).toEqual([
      "<command-name>/cost</command-name>",
      "<local-command-stdout>$0.00</local-command-stdout>",
    ])
    expect(entries[3]).toMatchObject({ type: "custom_message", customType: "claude-code.local_command", display: true })
  })

  it("edits each reply once, however often the client says that it left thoughts out", () => {
    const thought = { type: "thinking", thinking: "Hm", signature: "s" }
    const lines = [hello]
    let parent = "u"
    for (let turn = 0; turn < 50; turn++) {
      const stripped = { attachment: { type: "thinking_stripped", scope: "all" } }
      lines.push(reply(`a${turn}`, parent, [thought, text("Done")]), user(`u${turn}`, `a${turn}`, "More"))
      lines.push(line("attachment", `t${turn}`, `u${turn}`, stripped))
      parent = `t${turn}`
    }
    const { entries } = convert(...lines)
    const targets = entries.flatMap((entry) => (entry.type === "context_edit" ? [entry.targetId] : []))
    expect(targets).toEqual(Array.from({ length: 50 }, (_, turn) => `a${turn}`))
  })

  it("has what stands for results that the client cut, and no thoughts of before it left them out", () => {
    const thought = { type: "thinking", thinking: "Hm", signature: "s" }
    const cut = { type: "tool_results_cut", callIds: ["k", "gone"], standIn: "[Old tool result content cleared]" }
    const { entries } = convert(
      hello,
      reply("a", "u", [thought, call("k")]),
      result("r", "a", "k"),
      reply("b", "r", [thought, text("Done")]),
      user("v", "b", "Back again"),
      line("attachment", "t", "v", { attachment: { type: "thinking_stripped", scope: "all" } }),
      line("attachment", "c", "t", { attachment: cut }),
      reply("d", "c", [thought, text("Yes")]),
    )
    const { messages } = buildSessionContext(entries, undefined, { provider: "anthropic" })
    expect(messages.map((message) => ("content" in message ? message.content : undefined))).toMatchObject([
      "Hello",
      [{ type: "toolCall", id: "k" }],
      [text("[Old tool result content cleared]")],
      [text("Done")],
      "Back again",
      [{ type: "thinking" }, text("Yes")],
    ])
    expect(messages.filter((message) => JSON.stringify(message).includes('"Hm"'))).toHaveLength(1)
  })

  it("lacks the output of a command that is only for display, which people see", () => {
    const content = "<local-command-stdout>Context Usage</local-command-stdout>"
    const { entries } = convert(
      hello,
      reply("a", "u", [text("Yes")]),
      system("l", "a", "local_command", { content: "<command-name>/context</command-name>" }),
      system("m", "l", "local_command", { content, isDisplayOnly: true }),
      user("v", "m", "More"),
    )
    expect(spoken(entries).slice(2)).toEqual(["<command-name>/context</command-name>", "More"])
    expect(entries[3]).toMatchObject({ type: "custom_message", content, display: true })
  })

  it("lacks the errors that the client showed in place of replies, and has its other words", () => {
    const own = { model: "<synthetic>" }
    const { entries } = convert(
      hello,
      reply("a", "u", [text("API Error: 500")], own, { isApiErrorMessage: true }),
      user("v", "a", "Again"),
      reply("b", "v", [text("No response requested.")], own),
      user("w", "b", "And again"),
      reply("c", "w", [text("Cut")], {}, { isApiErrorMessage: true }),
    )
    expect(spoken(entries)).toEqual(["Hello", "Again", "No response requested.", "And again", "Cut"])
    expect(entries[1]).toMatchObject({ message: { stopReason: "error", errorMessage: "API Error: 500" } })
    const { diagnostics } = buildSessionContext(entries)
    expect(diagnostics).toEqual([])
  })
})

describe("The usage of a session of Claude Code", () => {
  const usage = (input_tokens: number, output_tokens: number, fields = {}) => ({
    input_tokens,
    output_tokens,
    ...fields,
  })
  const sums = (lines: Parameters<typeof convert>) =>
    Object.entries(sessionStats(convert(...lines).entries).models).map(
      ([model, { input, output }]) => `${model} ${input} ${output}`,
    )

  it("has the model of the line with most output, where the model changed within a response", () => {
    const lines = [
      hello,
      reply("a", "u", [text("One")], { id: "m", model: "claude-fable-5", usage: usage(4, 1) }),
      reply("b", "a", [text("Two")], { id: "m", model: "claude-opus-5", usage: usage(4, 480) }),
    ]
    expect(sums(lines)).toEqual(["anthropic/claude-opus-5 4 480"])
    const { entries } = convert(...lines)
    expect(entries.find((entry) => isEntry(entry, "message") && entry.id === "a")).toMatchObject({
      message: { model: "claude-opus-5" },
    })
  })

  it("counts what an advisor and a compaction used once, under their models, and no other iteration", () => {
    const iterations = [
      { type: "message", ...usage(3, 60) },
      { type: "advisor_message", model: "claude-opus-5", ...usage(52_000, 1900) },
      { type: "compaction", ...usage(900, 80) },
      { type: "message", ...usage(4, 250) },
    ]
    const message = { id: "m", model: "claude-sonnet-5", usage: usage(7, 310, { iterations }) }
    const lines = [hello, reply("a", "u", [text("One")], message), reply("b", "a", [text("Two")], message)]
    expect(sums(lines)).toEqual(["anthropic/claude-sonnet-5 907 390", "anthropic/claude-opus-5 52000 1900"])
  })

  it("is that of one response where only some of its lines name the request, also of a sub-agent", () => {
    const first = { id: "m", usage: usage(4, 3) }
    const last = { id: "m", usage: usage(4, 480) }
    const other = { id: "m", usage: usage(1, 2) }
    const without = { requestId: undefined }
    const orders = [
      [reply("a", "u", [text("One")], first, without), reply("b", "a", [text("Two")], last)],
      [reply("a", "u", [text("One")], first), reply("b", "a", [text("Two")], last, without)],
    ]
    for (const lines of orders) {
      const { entries } = convert(
        user("u", null, "Hi"),
        lines,
        reply("c", "b", [text("3")], other, { requestId: "r2" }),
      )
      expect(entries).toMatchObject([
        { id: "u" },
        { message: { usage: { output: 480 } } },
        { message: { usage: { output: 2 } } },
      ])
    }
    const message = { ...last, role: "assistant", model: "claude-opus-5" }
    const nested = (fields: object) => {
      const data = {
        type: "agent_progress",
        agentId: "x",
        message: { type: "assistant", uuid: "n", message, ...fields },
      }
      return line("progress", "p", "u", { data })
    }
    const { entries } = convert(
      user("u", null, "Hi"),
      nested({}),
      nested({ requestId: "r" }),
      reply("c", "u", [text("1")]),
    )
    expect(entries.filter(({ type }) => type === "usage")).toMatchObject([{ usage: { output: 480 } }])
  })

  it("counts them of replies of sub-agents that progress lines hold, too", () => {
    const iterations = [{ type: "advisor_message", model: "claude-opus-5", ...usage(10, 20) }]
    const message = { id: "n", role: "assistant", model: "claude-haiku-5", usage: usage(1, 2, { iterations }) }
    const data = { type: "agent_progress", message: { type: "assistant", message } }
    expect(sums([hello, line("progress", "p", "u", { data })])).toEqual([
      "anthropic/claude-haiku-5 1 2",
      "anthropic/claude-opus-5 10 20",
    ])
  })

  it("is of a model that is not known where none is named, also without an id, and no count is less than nothing", () => {
    const message = { id: undefined, model: undefined, usage: { ...usage(-5, 6), cache_read_input_tokens: "many" } }
    expect(sums([hello, reply("a", "u", [text("One")], message)])).toEqual(["unknown 0 6"])
  })

  it("belongs to the model that answered where a response fell back", () => {
    const iterations = [
      { type: "message", model: "claude-fable-5", ...usage(0, 0) },
      { type: "fallback_message", model: "claude-opus-5", ...usage(5, 6) },
    ]
    const message = { model: "claude-fable-5", usage: usage(5, 6, { iterations }) }
    expect(sums([hello, reply("a", "u", [text("One")], message)])).toEqual(["anthropic/claude-opus-5 5 6"])
  })
})
