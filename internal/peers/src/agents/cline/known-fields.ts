import { type KnownFields, plain } from "../frame/unknown-fields.js"

const METRICS = plain("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "cost")

const BLOCK = {
  ...plain("type", "text", "thinking", "signature", "id", "name", "tool_use_id", "is_error", "data", "mediaType"),
  ...({ input: true, content: true } as const),
}

const MESSAGE = {
  ...plain("id", "role", "ts"),
  ...{ content: BLOCK, metrics: METRICS, modelInfo: plain("family", "id", "provider") },
  metadata: true,
} as const

/** Of a session's messages. */
export const KNOWN_FIELDS = {
  ...plain("version", "updated_at", "agent", "sessionId", "taskType", "system_prompt"),
  origin: plain("mode", "parentThreadId", "sessionId", "source", "subagent", "version"),
  messages: MESSAGE,
} as const satisfies KnownFields
