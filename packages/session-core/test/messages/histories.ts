import type { AssistantMessage, ContentBlock, Message, ToolResultMessage, UserMessage } from "@treelog/session-core"
import { TEST_START } from "@treelog-internal/test-kit"

/** A PNG of one pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

export const text = (words: string) => ({ type: "text" as const, text: words })
export const image = (data: string = PIXEL, mimeType = "image/png") => ({ type: "image" as const, data, mimeType })
export const thinking = (thought: string, thinkingSignature?: string) => ({
  type: "thinking" as const,
  thinking: thought,
  ...(thinkingSignature !== undefined && { thinkingSignature }),
})
export const call = (id: string, name = "read", args: Record<string, unknown> = { path: "a.ts" }) => ({
  type: "toolCall" as const,
  id,
  name,
  arguments: args,
})

export function user(content: UserMessage["content"] = "Go on."): UserMessage {
  return { role: "user", content, timestamp: TEST_START }
}

export function answer(...content: ContentBlock[]): AssistantMessage {
  return { role: "assistant", content, provider: "anthropic", model: "claude-test", timestamp: TEST_START }
}

export function result(toolCallId: string, words = "done", toolName = "read"): ToolResultMessage {
  return { role: "toolResult", toolCallId, toolName, content: [text(words)], timestamp: TEST_START }
}

/** A message as files of the wild hold them: any role, any fields. */
export function wild(fields: Record<string, unknown>): Message {
  return fields as unknown as Message
}

/** A turn with a call, its result and an answer. */
export function turn(id = "c1"): Message[] {
  return [user(), answer(text("I look."), call(id)), result(id), answer(text("Done."))]
}
