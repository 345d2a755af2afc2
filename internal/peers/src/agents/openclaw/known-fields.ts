import { type KnownFields, plain } from "../frame/unknown-fields.js"

const BLOCK = {
  ...plain("type text textSignature thinking thinkingSignature redacted id name data mimeType"),
  ...({ arguments: true } as const),
}

const MESSAGE = {
  ...plain("role provider model api responseId responseModel stopReason errorMessage timestamp idempotencyKey"),
  ...plain("toolCallId toolName isError excludeFromContext customType display"),
  ...({ content: BLOCK, usage: true, details: true, provenance: true, __openclaw: true } as const),
}

const EVENT = {
  ...plain("type id parentId timestamp appendMode customType targetId reason firstKeptEntryId"),
  ...plain("summary tokensBefore tokensAfter fromHook cwd version parentSession provider modelId thinkingLevel"),
  ...({ message: MESSAGE, data: true, details: true, __openclaw: true } as const),
}

/** Of the events of transcripts of OpenClaw. */
export const KNOWN_FIELDS = {
  transcript_events: {
    ...plain("session_id seq event_zstd created_at event_utf8_bytes"),
    ...({ event_json: EVENT, navigation_json: true } as const),
  },
} as const satisfies KnownFields
