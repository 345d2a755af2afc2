import { expect, test } from "vitest"
import { agentsOfCall, mayBeginAgent } from "./door.js"

const call = (args: Record<string, unknown>, name = "Task") => ({ id: "c", name, arguments: args })
const TRANSCRIPTS = [
  { id: "agent-a1", prompt: "Look for the carts" },
  { id: "thread-2", prompt: "" },
  { id: "sidechain-3", prompt: "Read the tests" },
]
const ids = (...given: Parameters<typeof agentsOfCall>) => agentsOfCall(...given).map(({ id }) => id)

test("a transcript belongs to the call whose result names it, in the details or in JSON", () => {
  expect(ids(TRANSCRIPTS, call({ prompt: "else" }), { details: { agentId: "a1" } })).toEqual(["agent-a1"])
  const content = [{ type: "text", text: '{"agent_id":"thread-2"}' }]
  expect(ids(TRANSCRIPTS, call({ message: "Read the tests" }), { content })).toEqual(["thread-2"])
})

test("or else to the one that asked what it begins with, also while there is no result", () => {
  expect(ids(TRANSCRIPTS, call({ prompt: " Read the tests\nof the carts" }), undefined)).toEqual(["sidechain-3"])
  expect(ids(TRANSCRIPTS, call({ prompt: "Read the" }), { content: "{broken" })).toEqual([])
  expect(ids(TRANSCRIPTS, call({ prompt: "" }), { details: { agentId: 7 } })).toEqual([])
})

test("only calls with the name of an agent or a task may begin a sub-agent", () => {
  expect(["Task", "Agent", "spawn_agent", "task"].every((name) => mayBeginAgent(call({}, name)))).toBe(true)
  expect(["bash", "read", "edit"].some((name) => mayBeginAgent(call({}, name)))).toBe(false)
})
