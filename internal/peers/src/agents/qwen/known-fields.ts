import { type KnownFields, plain } from "../frame/unknown-fields.js"
import { PART } from "../model/gemini-fields.js"

const RECORD = plain("uuid", "parentUuid", "sessionId", "timestamp", "type", "subtype", "cwd", "version", "gitBranch")
const AGENT = plain("agentId", "agentName", "agentColor", "isSidechain")

export const KNOWN_FIELDS = {
  ...{ ...RECORD, ...AGENT, ...plain("model", "provenance", "contextWindowSize") },
  forkedFrom: plain("messageUuid", "sessionId"),
  message: { role: {}, parts: PART },
  toolCallResult: {
    ...plain("callId", "error", "errorType", "executionStatus", "status"),
    resultDisplay: true,
  },
  usageMetadata: plain(
    ...["cachedContentTokenCount", "candidatesTokenCount", "promptTokenCount", "thoughtsTokenCount", "totalTokenCount"],
  ),
  systemPayload: true,
} as const satisfies KnownFields
