import { plain } from "../frame/unknown-fields.js"
import { PART } from "../model/gemini-fields.js"

const CALL = {
  ...plain("id", "name", "description", "displayName", "renderOutputAsMarkdown", "status", "timestamp", "agentId"),
  ...({ args: true, result: PART, resultDisplay: true } as const),
}

const MESSAGE = {
  ...plain("id", "timestamp", "type", "model"),
  ...{ content: PART, displayContent: PART, toolCalls: CALL },
  thoughts: plain("subject", "description", "timestamp"),
  tokens: plain("input", "cached", "output", "thoughts", "tool", "total"),
}

const SESSION = plain("sessionId", "projectHash", "startTime", "lastUpdated", "kind", "summary", "directories")

export const KNOWN_FIELDS = { ...MESSAGE, ...SESSION, $rewindTo: {}, $set: { ...SESSION, messages: MESSAGE } } as const
