import {
  Agent,
  type AgentInputItem,
  isSessionHistoryTransactionAwareSession,
  MemorySession,
  Runner,
  type Session,
  type SessionHistoryTransactionAwareSession,
  tool,
} from "@openai/agents-core"
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing"
import { OpenAISession } from "@treelog/agent-sdks/openai"
import { describe, expect, expectTypeOf, test } from "vitest"
import { z } from "zod"
import { emptyStorage, removeFoldersAfterAll, STORAGES } from "../storages.js"

removeFoldersAfterAll()

test("the session has the types of the SDK's, for its items", () => {
  expectTypeOf<OpenAISession<AgentInputItem>>().toExtend<Session>()
  expectTypeOf<OpenAISession<AgentInputItem>>().toExtend<SessionHistoryTransactionAwareSession>()
})

const weather = tool({
  name: "weather",
  description: "The weather",
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `Sun in ${city}`,
})

/** Two runs of an agent, the second with another object for the same session. */
async function conversation(open: () => Session): Promise<unknown[]> {
  const model = new ScriptedModel([
    [functionCall("weather", { city: "Zürich" }, { callId: "c1" })],
    [assistantMessage("Sunny. \u{1F600}")],
    [assistantMessage("In Zürich.")],
  ])
  const runner = new Runner({ tracingDisabled: true })
  const agent = new Agent({ name: "agent", model, tools: [weather] })
  await runner.run(agent, "How is the weather?", { session: open() })
  await runner.run(agent, "Where?", { session: open() })
  model.assertComplete()
  return [await open().getItems(), model.lastCall?.request.input]
}

describe.each(STORAGES)("the SDK's runner with a session %s", (kind) => {
  test("stores and sends the same items as with the SDK's own session", async () => {
    const storage = emptyStorage(kind)
    const memory = new MemorySession({ sessionId: "s" })
    const ours = await conversation(() => new OpenAISession({ storage, sessionId: "s" }))
    expect(ours).toEqual(await conversation(() => memory))
    expect(ours[0]).toHaveLength(6)
  })

  test("finds that the session can apply transactions", () => {
    const session: Session = new OpenAISession({ storage: emptyStorage(kind), sessionId: "s" })
    expect(isSessionHistoryTransactionAwareSession(session)).toBe(true)
  })
})
