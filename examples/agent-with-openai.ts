// An agent on OpenAI's own SDK (Responses API, nothing stored there). Its session is the only state: stop it anywhere, and start it
// again with the same id. Reasoning goes back to the model as it came.

import type { AssistantMessage, ContentBlock, Session, SessionManager, ToolCall } from "@treelog/session-core"
import { isTreelogError } from "@treelog/session-core"
import { toOpenAIInput } from "@treelog/session-core/messages"
import type OpenAI from "openai"

type Tool = OpenAI.Responses.FunctionTool & { run(input: Record<string, unknown>): Promise<string> }

const STOP_REASONS: Readonly<Record<string, string>> = { completed: "stop", incomplete: "length", failed: "error" }

/** Converts a response to a message of the session. `toOpenAIInput` is the reverse. */
function asMessage({ model, output, usage, status }: OpenAI.Responses.Response): AssistantMessage {
  const content = output.flatMap((item): ContentBlock[] => {
    if (item.type === "reasoning") {
      const thinking = item.summary.map(({ text }) => text).join("\n")
      return [{ type: "thinking", thinking, thinkingSignature: JSON.stringify(item) }]
    }
    if (item.type === "function_call")
      return [{ type: "toolCall", id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) }]
    if (item.type !== "message") return [{ ...item }]
    return item.content.map((part) => ({ type: "text", text: part.type === "output_text" ? part.text : part.refusal }))
  })
  const ended = STOP_REASONS[status ?? "completed"] ?? "aborted"
  const cacheRead = usage?.input_tokens_details.cached_tokens ?? 0
  return {
    role: "assistant",
    api: "openai-responses",
    provider: "openai",
    model,
    content,
    stopReason: ended === "stop" && content.some(({ type }) => type === "toolCall") ? "toolUse" : ended,
    usage: {
      input: (usage?.input_tokens ?? 0) - cacheRead,
      output: usage?.output_tokens ?? 0,
      cacheRead,
      cacheWrite: 0,
    },
    timestamp: Date.now(),
  }
}

/** Answers a prompt in a session, which it opens or creates, behind its leaf or behind another entry. @returns the last reply */
export async function answer(
  client: OpenAI,
  sessions: SessionManager,
  { id, leaf, prompt, tools }: { id: string; leaf?: string; prompt: string; tools: Tool[] },
) {
  const session: Session = await sessions.open({ id }).catch((error) => {
    if (isTreelogError(error, "SessionNotFoundError")) return sessions.create(process.cwd(), { id })
    throw error
  })
  try {
    if (leaf !== undefined) session.branch(leaf)
    session.appendMessage({ role: "user", content: prompt })
    for (;;) {
      const offered = tools.map(({ run: _, ...tool }) => tool)
      const request = {
        model: "gpt-5.1",
        input: toOpenAIInput(await session.readContext()),
        tools: offered,
        store: false,
      } as const
      const reply = asMessage(await client.responses.create({ ...request, include: ["reasoning.encrypted_content"] }))
      session.appendMessage(reply)
      const calls = reply.content.filter((block) => block.type === "toolCall") as ToolCall[]
      for (const { id: toolCallId, name: toolName, arguments: input } of calls) {
        const text = (await tools.find(({ name }) => name === toolName)?.run(input)) ?? `There is no tool ${toolName}.`
        const content = [{ type: "text", text }]
        session.appendMessage({ role: "toolResult", toolCallId, toolName, content })
      }
      await session.flush() // on the disk, synced
      if (calls.length === 0) return reply
    }
  } finally {
    await session.close()
  }
}
