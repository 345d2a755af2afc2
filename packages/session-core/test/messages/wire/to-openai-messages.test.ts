import { toOpenAIMessages } from "@treelog/session-core/messages"
import { expect, it } from "vitest"
import { answer, call, image, PIXEL, result, text, thinking, user } from "../histories.js"
import { openAIFaults } from "../provider-rules/openai-rules.js"
import { HISTORY } from "./history.js"

const shown = { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } }

it("are as OpenAI's chat completions take them", () => {
  const messages = toOpenAIMessages(HISTORY, { repair: false })
  expect(messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "developer", content: "Be exact." },
    { role: "user", content: "Look." },
    { role: "user", content: "Ran `ls`\n```\na.ts\n```" },
    {
      role: "assistant",
      content: "<thinking>\nFirst a.\n</thinking>\nI look.",
      tool_calls: [
        { id: "toolu_1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } },
        { id: "toolu_2", type: "function", function: { name: "mcp_db_query", arguments: '{"sql":"select 1"}' } },
      ],
    },
    { role: "tool", tool_call_id: "toolu_2", content: "no table" },
    { role: "tool", tool_call_id: "toolu_1", content: "See" },
    { role: "user", content: [text("Images of the results above:"), shown] },
    { role: "user", content: [text("And this?"), shown] },
    {
      role: "assistant",
      content: "Ok.",
      tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } }],
    },
    { role: "tool", tool_call_id: "call_1", content: "(no output)" },
    { role: "developer", content: "Now stop." },
    { role: "assistant", content: "<thinking>\nYes\n</thinking>\nDone.\n" },
  ])
  expect(openAIFaults(messages)).toEqual([])
})

it("show the images of results after the last of them, and refer to them", () => {
  const picture = { ...result("a"), content: [image()] }
  const messages = toOpenAIMessages([user("Hi"), answer(call("a"), call("b")), picture, result("b")], { repair: false })
  expect(messages.slice(1)).toMatchObject([
    { role: "assistant", content: null },
    { role: "tool", content: "(see the attached image)" },
    { role: "tool", content: "done" },
    { role: "user", content: [text("Images of the results above:"), shown] },
  ])
})

it("carry own thinking in the field that its signature names, which servers require back with the calls of it", () => {
  const target = { provider: "deepseek", model: "deepseek-v4" }
  const sent = (...thoughts: ReturnType<typeof thinking>[]) => {
    const reply = { ...answer(...thoughts, call("c1")), ...target }
    return toOpenAIMessages([user("Hi"), reply, result("c1")], { target })[1]
  }
  const calls = { role: "assistant", content: null, tool_calls: [expect.objectContaining({ id: "c1" })] }
  expect(sent(thinking("One.", "reasoning_content"), thinking(""), thinking("Two.", "reasoning_content"))).toEqual({
    ...calls,
    reasoning_content: "One.\nTwo.",
  })
  expect(sent(thinking("One.", "reasoning"))).toEqual({ ...calls, reasoning: "One." })
  const details = [{ type: "reasoning.text", text: "One.", signature: "c2ln" }]
  expect(sent(thinking("One.", JSON.stringify(details)))).toEqual({ ...calls, reasoning_details: details })
  const others = [
    { ...answer(thinking("One.", "reasoning_content"), text("So.")), ...target },
    user(),
    answer(text("Yes.")),
  ]
  expect(toOpenAIMessages([user("Hi"), ...others], { target }).filter(({ role }) => role === "assistant")).toEqual([
    { role: "assistant", content: "So.", reasoning_content: "One." },
    { role: "assistant", content: "Yes.", reasoning_content: "" },
  ])
  for (const other of [undefined, "c2ln", "content", "[]", "[1]"]) expect(sent(thinking("One.", other))).toEqual(calls)
  const foreign = toOpenAIMessages([
    user("Hi"),
    { ...answer(thinking("One.", "reasoning_content"), text("So.")), ...target },
  ])
  expect(foreign[1]).toEqual({ role: "assistant", content: "<thinking>\nOne.\n</thinking>\nSo." })
})
