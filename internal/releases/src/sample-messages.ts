import type { AssistantMessage, Clock, ToolCall, ToolResultMessage, UserMessage } from "@treelog/session-core"

/** Messages as an agent makes them. */
export interface Said {
  user(content: UserMessage["content"]): UserMessage
  assistant(text: string, ...calls: ToolCall[]): AssistantMessage
  result(call: ToolCall, content: ToolResultMessage["content"]): ToolResultMessage
}

export function messagesWith(clock: Clock): Said {
  return {
    user: (content) => ({ role: "user", content, timestamp: clock.now() }),
    assistant: (text, ...calls) => ({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm. 嗯。", thinkingSignature: "c2lnbmVk" },
        { type: "text", text },
        ...calls,
      ],
      api: "anthropic-messages",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      usage: { input: 1200, output: 80, cacheRead: 900, cacheWrite: 40, totalTokens: 2220 },
      stopReason: calls.length > 0 ? "toolUse" : "stop",
      timestamp: clock.now(),
    }),
    result: ({ id, name }, content) => ({
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content,
      isError: false,
      timestamp: clock.now(),
    }),
  }
}

/** Base64 of that many bytes, which stand for a picture; large enough to be moved out of a line. */
export function picture(seed: number, length = 1500): string {
  return Buffer.from(Array.from({ length }, (_, index) => (index * 31 + seed * 17) % 256)).toString("base64")
}
