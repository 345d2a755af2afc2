import { randomUUID } from "node:crypto"

const START = Date.parse("2026-11-25T10:00:00.000Z")
let clock = 0

type Fields = Readonly<Record<string, unknown>>

/** Events as Copilot CLI 1.0.102 writes them, a line each. */
export function copilotEvents() {
  let calls = 0
  const event = (type: string, data: Fields, more: Fields = {}): string => {
    const timestamp = new Date(START + ++clock * 1000).toISOString()
    return `${JSON.stringify({ type, data, id: randomUUID(), timestamp, parentId: null, ...more })}\n`
  }
  const usage = (apiCallId: string, more?: Fields): string => {
    const tokens = { inputTokens: 1110, outputTokens: 5, cacheReadTokens: 1000, cacheWriteTokens: 100, cost: 0 }
    const model = { model: "claude-sonnet-4.5", modelProvider: "anthropic" }
    return event("session.usage_record", { usage: { ...model, ...tokens, apiCallId } }, more)
  }
  const prompt = (content: string): string =>
    event("user.message", { content, transformedContent: `<current_datetime>now</current_datetime>\n\n${content}` })
  const reply = (content: string, toolRequests: readonly Fields[] = []): string => {
    const apiCallId = `msg_${++calls}_${randomUUID()}`
    const blocks = [{ type: "thinking", thinking: "I think.", signature: "c2ln" }]
    const said = { content, toolRequests, apiCallId, model: "claude-sonnet-4.5", reasoningBlocks: { blocks } }
    return usage(apiCallId) + event("assistant.message", said)
  }
  return {
    event,
    prompt,
    reply,
    usage,
    start: (sessionId: string, cwd: string): string =>
      event("session.start", {
        ...{ sessionId, version: 1, copilotVersion: "1.0.102", startTime: new Date(START).toISOString() },
        ...{ selectedModel: "claude-sonnet-4.5", context: { cwd } },
      }),
    turn: (said: string): string =>
      prompt(said) + event("assistant.turn_start", { turnId: "0" }) + reply("Answer") + event("assistant.turn_end", {}),
    result: (toolCallId: string, content: string, success = true): string =>
      event("tool.execution_complete", {
        ...{ toolCallId, success },
        ...(success ? { result: { content } } : { error: { message: content } }),
      }),
  }
}
