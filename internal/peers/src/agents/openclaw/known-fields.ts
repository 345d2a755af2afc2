import { type KnownFields, plain } from "../frame/unknown-fields.js"

/** Of the events of transcripts of OpenClaw. */
export const KNOWN_FIELDS = {
  transcript_events: plain("session_id seq event_zstd created_at event_utf8_bytes"),
} as const satisfies KnownFields
