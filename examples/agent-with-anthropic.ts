// An agent on Anthropic's own SDK. Its session is the only state: stop it anywhere, and start it again with the same id.

import type Anthropic from "@anthropic-ai/sdk"
import type { AssistantMessage, ContentBlock, Session, SessionManager, ToolCall } from "@treelog/session-core"
import { isTreelogError } from "@treelog/session-core"
import { toAnthropicMessages } from "@treelog/session-core/messages"

type Tool = Anthropic.Tool & { run(input: Record<string, unknown>): Promise<string> }

const STOP_REASONS: Readonly<Record<string, string>> = { end_turn: "stop", tool_use: "toolUse", max_tokens: "length" }

function asBlock(block: Anthropic.ContentBlock): ContentBlock {
  if (block.type === "thinking")
    return { type: "thinking", thinking: block.thinking, thinkingSignature: block.signature }
  if (block.type === "redacted_thinking")
    return { type: "thinking", thinking: "", thinkingSignature: block.data, redacted: true }
  if (block.type !== "tool_use") return { ...block }
  return { type: "toolCall", id: block.id, name: block.name, arguments: block.input as Record<string, unknown> }
}

/** Converts a reply to a message of the session. `toAnthropicMessages` is the reverse. */
function asMessage({ model, content, usage, stop_reason }: Anthropic.Message): AssistantMessage {
  return {
    role: "assistant",
    api: "anthropic-messages",
    provider: "anthropic",
    model,
    content: content.map(asBlock),
    stopReason: stop_reason === null ? "aborted" : (STOP_REASONS[stop_reason] ?? "stop"),
    usage: {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    },
    timestamp: Date.now(),
  }
}

/** Answers a prompt in a session, which it opens or creates, behind its leaf or behind another entry. @returns the last reply */
export async function answer(
  client: Anthropic,
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
        ...toAnthropicMessages(await session.readContext()),
        model: "claude-sonnet-4-5",
        max_tokens: 4096,
        tools: offered,
      }
      const reply = asMessage(await client.messages.create(request))
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
