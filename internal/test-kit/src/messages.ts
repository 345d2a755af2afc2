import type { AssistantMessage, ToolResultMessage, UserMessage } from "@treelog/session-core"
import { TEST_START } from "./clock.js"

export function userMessage(text: string, fields: Partial<UserMessage> = {}): UserMessage {
  return { role: "user", content: text, timestamp: TEST_START, ...fields }
}

export function assistantMessage(text: string, fields: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "anthropic",
    model: "claude-test",
    stopReason: "stop",
    timestamp: TEST_START,
    ...fields,
  }
}

export function toolResultMessage(text: string, fields: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: "call-1",
    toolName: "read",
    content: [{ type: "text", text }],
    timestamp: TEST_START,
    ...fields,
  }
}
