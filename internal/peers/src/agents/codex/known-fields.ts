import { byKind, type CheckedFields, documentsIn, type KnownFields, plain } from "../frame/unknown-fields.js"
import type { Json } from "../model/blocks.js"

const ITEM = { ...plain("type id status"), internal_chat_message_metadata_passthrough: true } as const
const CONTENT = { ...plain("type text image_url detail"), annotations: true } as const
const LINE = { ...plain("timestamp type ordinal"), metadata: true } as const
const TOKENS = plain(
  "cache_write_input_tokens cached_input_tokens input_tokens output_tokens reasoning_output_tokens total_tokens",
)

/** The fields of the payload of lines whose content is read, by the type of the line and that of its payload; others are kept, or not read. */
const PAYLOADS: Readonly<Record<string, KnownFields>> = {
  message: { ...ITEM, ...plain("role phase"), content: CONTENT },
  reasoning: { ...ITEM, ...plain("encrypted_content"), summary: CONTENT, content: CONTENT },
  function_call: { ...ITEM, ...plain("name namespace arguments call_id") },
  function_call_output: { ...ITEM, ...plain("call_id name namespace"), output: CONTENT },
  custom_tool_call: { ...ITEM, ...plain("name call_id input") },
  custom_tool_call_output: { ...ITEM, ...plain("call_id name"), output: CONTENT },
  local_shell_call: { ...ITEM, ...plain("call_id"), action: true },
  token_count: { ...plain("type"), info: true, rate_limits: true },
  token_usage_record: {
    ...plain("response_id root_turn_id session_id thread_id turn_id"),
    ...{ usage: TOKENS, turn_token_usage: TOKENS, thread_token_usage: TOKENS },
  },
  compacted: {
    ...plain("message window_id window_number first_window_id previous_window_id compaction_response_id"),
    ...({ replacement_history: true, replacement_history_metadata: true, retained_context: true } as const),
    ...({ latest_token_usage_record: true, resume_metadata: true, guardian_history: true } as const),
  },
}

/** The fields of the rollouts in a folder that were looked at. */
export function fieldsIn(folder: string): CheckedFields {
  const known = Object.fromEntries(Object.entries(PAYLOADS).map(([kind, payload]) => [kind, { ...LINE, payload }]))
  return byKind(documentsIn(folder, /rollout-.*\.jsonl$/), ({ type, payload }) => (payload as Json).type ?? type, known)
}
