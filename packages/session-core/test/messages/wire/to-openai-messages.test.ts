import { toOpenAIMessages } from "@treelog/session-core/messages"
import { expect, it } from "vitest"
import { answer, call, image, PIXEL, result, text, user } from "../histories.js"
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
