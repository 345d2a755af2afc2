import { convertClaudeCode } from "@treelog/agents/claude-code"
import { sessionStats } from "@treelog/session-core/search"
import { expect, it } from "vitest"
import { call, spoken, text } from "./lines.js"

type Fields = Record<string, unknown>

const ID = "44444444-4444-4444-8444-444444444444"

/** A line as `claude -p --output-format stream-json` prints it. */
function printed(type: string, uuid: string, fields: Fields, call: string | null = null): Fields {
  return { type, ...fields, parent_tool_use_id: call, session_id: ID, uuid }
}

function reply(uuid: string, content: readonly Fields[], id = `msg_${uuid}`, call: string | null = null): Fields {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const message = { id, role: "assistant", model: "claude-sonnet-5", content, stop_reason: null, usage }
  return printed("assistant", uuid, { message }, call)
}

function result(uuid: string, id: string, content: string, call: string | null = null): Fields {
  return printed(
    "user",
    uuid,
    { message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] } },
    call,
  )
}

it("what `claude -p` printed as JSON lines is one branch, with its id, its folder, its sub-agents and its usage", () => {
  const prompt = { message: { role: "user", content: "Look" } }
  const modelUsage = { "claude-sonnet-5": { inputTokens: 35, outputTokens: 40, cacheReadInputTokens: 7 } }
  const lines = [
    printed("system", "i", { subtype: "init", cwd: "/srv/shop", claude_code_version: "2.1.332" }),
    reply("a1", [text("I ask.")], "msg_1"),
    reply("a2", [{ ...call("c", "Agent"), input: { prompt: "Look" } }], "msg_1"),
    printed("user", "s1", prompt, "c"),
    reply("s2", [text("Seen.")], "msg_s", "c"),
    result("r", "c", "Seen."),
    reply("b", [text("Done.")]),
    printed("result", "e", { subtype: "success", result: "Done.", modelUsage }),
  ]
  const content = lines.map((line) => JSON.stringify(line)).join("\n")
  const { header, entries, artifacts, report } = convertClaudeCode(`${content}\n`, { name: "out" })
  expect(header).toMatchObject({ id: ID, cwd: "/srv/shop", source: { version: "2.1.332", kind: "sdk" } })
  expect(spoken(entries)).toEqual(["I ask.", "Seen.", "Done."])
  expect(sessionStats(entries).total).toMatchObject({ input: 35, output: 40, cacheRead: 7 })
  const twice = convertClaudeCode(`${content}\n${JSON.stringify(lines.at(-1))}\n`, { name: "out" })
  expect(sessionStats(twice.entries).total).toMatchObject({ input: 35, output: 40, cacheRead: 7 })
  const later = { "claude-sonnet-5": { inputTokens: 50, outputTokens: 60, cacheReadInputTokens: 7 } }
  const turn = [reply("z", [text("More.")]), printed("result", "f", { modelUsage: later })].map((one) =>
    JSON.stringify(one),
  )
  const longer = convertClaudeCode(`${content}\n${turn.join("\n")}\n`, { name: "out" })
  expect(sessionStats(longer.entries).total).toMatchObject({ input: 50, output: 60, cacheRead: 7 })
  const torn = lines.slice(0, -1).map((line) => JSON.stringify(line))
  const killed = convertClaudeCode(torn.join("\n"), { name: "out", isComplete: true })
  expect(sessionStats(killed.entries).total).toMatchObject({ calls: 3, input: 30, output: 15 })
  expect([...artifacts].map((part) => spoken(part.entries))).toEqual([["Look", "Seen."]])
  expect(report.diagnostics).toEqual([])
})
