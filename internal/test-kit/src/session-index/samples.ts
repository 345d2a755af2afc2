/** An entry of a session; `fields` replace or complete it. */
function entry(id: string, type: string, fields: object): object {
  return { type, id, ...fields }
}

export function user(id: string, text: string, fields: object = {}): object {
  return entry(id, "message", { message: { role: "user", content: text, timestamp: 0 }, ...fields })
}

/** @param message replaces fields of the message */
export function assistant(id: string, text: string, message: object = {}): object {
  return entry(id, "message", { message: { ...answer([{ type: "text", text }]), ...message } })
}

/** An answer that calls a tool. */
export function call(id: string, name: string, args: object): object {
  return entry(id, "message", { message: answer([{ type: "toolCall", id: `call-${id}`, name, arguments: args }]) })
}

/** @param message replaces fields of the message */
export function result(id: string, toolName: string, text: string, message: object = {}): object {
  const content = [{ type: "text", text }]
  return entry(id, "message", {
    message: { role: "toolResult", toolCallId: "call", toolName, content, timestamp: 0, ...message },
  })
}

export function thought(id: string, thinking: string): object {
  return entry(id, "message", { message: answer([{ type: "thinking", thinking }]) })
}

export function compaction(id: string, summary: string, details: object = {}): object {
  return entry(id, "compaction", { summary, tokensBefore: 1000, details })
}

export function label(id: string, targetId: string, text: string): object {
  return entry(id, "label", { targetId, label: text })
}

export function named(id: string, name: string): object {
  return entry(id, "session_info", { name })
}

/** What an answer used: ten tokens in, and as many out as are given, for a cent each. */
export function usage(output: number): object {
  const cost = { input: 0, output: output / 100, cacheRead: 0, cacheWrite: 0, total: output / 100 }
  return { usage: { input: 10, output, cacheRead: 0, cacheWrite: 0, totalTokens: 10 + output, cost } }
}

function answer(content: readonly object[]): object {
  const model = { provider: "anthropic", model: "claude-test", api: "messages" }
  return { role: "assistant", content, ...model, stopReason: "stop", timestamp: 0 }
}
