import { toAnthropicMessages } from "@treelog/session-core/messages"
import { expect, it } from "vitest"
import { answer, call, image, PIXEL, result, text, thinking, user } from "../histories.js"
import { anthropicFaults } from "../provider-rules/anthropic-rules.js"
import { HISTORY } from "./history.js"

const source = { type: "base64", media_type: "image/png", data: PIXEL }

it("are as Anthropic takes them", () => {
  const request = toAnthropicMessages(HISTORY, { repair: false })
  expect(request).toEqual({
    system: "Be brief.\n\nBe exact.",
    messages: [
      { role: "user", content: [text("Look."), text("Ran `ls`\n```\na.ts\n```")] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "First a.", signature: "c2ln" },
          { type: "redacted_thinking", data: "c2Vj" },
          text("I look."),
          { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.ts" } },
          { type: "tool_use", id: "toolu_2", name: "mcp_db_query", input: { sql: "select 1" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_2", content: [text("no table")], is_error: true },
          { type: "tool_result", tool_use_id: "toolu_1", content: [text("See"), { type: "image", source }] },
          text("And this?"),
          { type: "image", source },
        ],
      },
      {
        role: "assistant",
        content: [
          text("<thinking>\nHm\n</thinking>"),
          text("Ok."),
          { type: "tool_use", id: "call_1", name: "read", input: { path: "a.ts" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: [text("(no output)")] }, text("Now stop.")],
      },
      { role: "assistant", content: [text("<thinking>\nYes\n</thinking>"), text("Done.")] },
    ],
  })
  expect(anthropicFaults(request)).toEqual([])
})

it("have no system where there are no instructions", () => {
  expect(toAnthropicMessages([user("Hi")], { repair: false })).toEqual({
    messages: [{ role: "user", content: [text("Hi")] }],
  })
})

it("carry thinking of the target only", () => {
  const messages = [user("Hi"), answer(thinking("Hm", "c2ln"), text("Ok."))]
  const reported = toAnthropicMessages(messages, {
    repair: false,
    target: { provider: "anthropic", model: "claude-next" },
  })
  expect(reported.messages[1]?.content).toEqual([text("<thinking>\nHm\n</thinking>"), text("Ok.")])
})

it("carry what OpenAI sealed as the signature for who thought it, and as text where only its id is known", () => {
  const target = { provider: "anthropic", model: "claude-test" }
  const sealed = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm" }] }
  const turns = [{ ...sealed, encrypted_content: "c2Vh" }, sealed].map((item) => {
    const reply = answer(thinking("Hm", JSON.stringify(item)), text("Ok."))
    return toAnthropicMessages([user("Hi"), reply], { target }).messages[1]?.content
  })
  expect(turns[0]).toEqual([{ type: "thinking", thinking: "Hm", signature: "c2Vh" }, text("Ok.")])
  expect(turns[1]).toEqual([text("<thinking>\nHm\n</thinking>"), text("Ok.")])
})

it("carry thinking without signature as text", () => {
  const { messages } = toAnthropicMessages([user("Hi"), answer(thinking("Hm"), thinking(""), text("Ok."))], {
    repair: false,
  })
  expect(messages[1]?.content).toEqual([text("<thinking>\nHm\n</thinking>"), text("Ok.")])
})

it("have a note for an image that cannot be sent", () => {
  const { messages } = toAnthropicMessages([user([image("", "image/png")])], { repair: false })
  expect(messages[0]?.content).toEqual([text("[Image left out: it has no data.]")])
})

it("name an image as its bytes are, and have it as plain base64", () => {
  const sent = [image(PIXEL, "image/jpeg"), image(`data:image/jpeg;base64,${PIXEL}`, "image/png"), image(`${PIXEL}\n`)]
  for (const repair of [true, false])
    expect(toAnthropicMessages([user(sent)], { repair }).messages[0]?.content).toEqual(
      sent.map(() => ({ type: "image", source })),
    )
  const others = [
    ["/9j/4AAQSkZJRg==", "image/png", "image/jpeg"],
    ["R0lGODlhAQABAAA=", "image/png", "image/gif"],
    ["UklGRiQAAABXRUJQVlA4", "image/png", "image/webp"],
    ["AAAA", "image/jpg", "image/jpeg"],
  ] as const
  for (const [data, named, type] of others)
    expect(toAnthropicMessages([user([image(data, named)])]).messages[0]?.content).toEqual([
      { type: "image", source: { type: "base64", media_type: type, data } },
    ])
})

it("show the images of results that failed behind all results", () => {
  const failed = { ...result("a"), content: [text("No."), image()], isError: true }
  const { messages } = toAnthropicMessages([
    ...[user("Hi"), answer(call("a"), call("b"), call("c"))],
    ...[failed, { ...failed, toolCallId: "b", content: [image()] }, result("c"), user("Go on.")],
  ])
  const shown = [text("Images of the results above:"), { type: "image", source }]
  expect(messages[2]?.content).toMatchObject([
    { tool_use_id: "a", content: [text("No.")], is_error: true },
    { tool_use_id: "b", content: [text("(see the attached image)")], is_error: true },
    { tool_use_id: "c", content: [text("done")] },
    ...[...shown, ...shown, text("Go on.")],
  ])
  expect(anthropicFaults({ messages })).toEqual([])
})

it("have ids that fit, and are never the same", () => {
  const long = "x".repeat(60)
  const ids = [`${long}1`, `${long}2`, "a b", "a_b", "|fc_1"]
  const calls = ids.map((id) => call(id))
  const { messages } = toAnthropicMessages([user(), answer(...calls), ...ids.map((id) => result(id))], {
    repair: false,
  })
  const uses = messages[1]?.content.map((block) => (block.type === "tool_use" ? block.id : undefined))
  expect(uses).toEqual(["x".repeat(40), `${"x".repeat(38)}_2`, "a_b", "a_b_2", "call"])
  expect(anthropicFaults({ messages })).toEqual([])
})

it("take a context, and repair it unless that is left out", () => {
  const context = { messages: [user("Look."), answer(call("toolu_1"))] }
  const results = (options?: { repair: boolean }) =>
    JSON.stringify(toAnthropicMessages(context, options)).match(/"tool_result"/g) ?? []
  expect([results().length, results({ repair: false }).length]).toEqual([1, 0])
})
