import type { Message } from "@treelog/session-core"
import { TEST_START } from "@treelog-internal/test-kit"
import { answer, call, image, result, text, thinking, user, wild } from "../histories.js"

const REASONING = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Hm" }],
  encrypted_content: "c2Vj",
}
const openai = { provider: "openai", model: "gpt-test", api: "openai-responses" }

/** A sound history with all that the shapes differ in, of two providers. */
export const HISTORY: readonly Message[] = [
  wild({ role: "system", content: "Be brief." }),
  wild({ role: "developer", content: [text("Be exact.")] }),
  user("Look."),
  { role: "bashExecution", command: "ls", output: "a.ts", cancelled: false, truncated: false, timestamp: TEST_START },
  answer(
    thinking("First a.", "c2ln"),
    { ...thinking("[redacted]", "c2Vj"), redacted: true },
    text("I look."),
    call("toolu_1"),
    call("toolu_2", "mcp.db/query", { sql: "select 1" }),
  ),
  { ...result("toolu_2", "no table", "mcp.db/query"), isError: true },
  { ...result("toolu_1"), content: [text("See"), image()] },
  user([text("And this?"), image()]),
  {
    ...answer(thinking("Hm", JSON.stringify(REASONING)), text("Ok."), call("call_1|fc_1")),
    ...openai,
  },
  { ...result("call_1|fc_1"), content: [] },
  wild({ role: "developer", content: "Now stop." }),
  { ...answer(thinking("Yes"), text("Done.\n")), provider: "google", model: "gemini-test" },
]
