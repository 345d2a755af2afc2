import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"

/** Larger snapshots of the history of files are skipped: they say nothing of the conversation. Bytes. */
export const SNAPSHOT_LIMIT = 64 * 1024

/** Copies of files, and what was changed in them. */
export const SNAPSHOTS: ReadonlySet<unknown> = new Set([
  "file-history-snapshot",
  "file-history-delta",
  "attribution-snapshot",
])

/** Names for lines that hold no record. */
export const UNREADABLE = "unreadable"
export const BLANK = "blank"

/** Kinds that are skipped, and why. */
const SKIPPED: ReadonlyMap<string, string> = new Map([
  ["system:stop_hook_summary", "It says how long hooks took."],
  ["system:turn_duration", "It says how long a turn took."],
])

const SYSTEM = [
  ...["api_error", "api_refusal", "compact_boundary", "error", "informational", "local_command"],
  ...["microcompact_boundary", "model_refusal_fallback", "session_start", "away_summary", "bridge_status"],
  ...["scheduled_task_fire", "memory_saved", "agents_killed", "permission_retry", "file_snapshot", "model_fallback"],
  ...["model_consent_fallback", "model_refusal_no_fallback", "per_turn_effort_changed", "notification", "init"],
]

/** Claude Code's own state, as 2.1.332 writes it: nothing of the conversation. */
const STATE =
  "agent-color agent-setting artifact-autoreact-ledger artifact-comment-monitor atis-latch attribution-snapshot bridge-session continued-in cost-state data-flow-handover data-flow-incomplete data-flow-records derived-from dev-mods ended-by-model file-history-delta file-history-snapshot fork-context-ref frame-link history-suppression host-row hybrid-organization isolation-latch memory-mode mode observer-ref permission-mode pr-link relocated repl-mode result resume-head-vouch session-owner started tools-used worktree-state"

const KNOWN: ReadonlySet<string> = new Set([
  ...["agent-name", "ai-title", "api-request", "api-request-blob", "api-request-resumed", "api-request-shape"],
  ...["assistant", "content-replacement", "custom-title", "last-prompt", "summary", "tag", "treelog-copy", "user"],
  ...STATE.split(" "),
  ...["dequeue", "enqueue", "popAll", "remove"].map((operation) => `queue-operation:${operation}`),
  ...SYSTEM.map((subtype) => `system:${subtype}`),
  ...SKIPPED.keys(),
])

/** Such as `user` or `progress:hook_progress`. */
export function kindOf(record: Json): string {
  const type = textIn(record, "type") ?? "without type"
  const subtype = subtypeOf(type, record)
  return subtype === undefined ? type : `${type}:${subtype}`
}

function subtypeOf(type: string, record: Json): string | undefined {
  if (type === "system") return textIn(record, "subtype")
  if (type === "progress") return textIn(objectIn(record, "data") ?? {}, "type")
  if (type === "attachment") return textIn(objectIn(record, "attachment") ?? {}, "type")
  return type === "queue-operation" ? textIn(record, "operation") : undefined
}

/** Attachments and progress have too many kinds to know them all, and are treated alike. */
export function isKnownKind(kind: string): boolean {
  return KNOWN.has(kind) || kind.startsWith("attachment:") || kind.startsWith("progress:")
}

/** Of a kind without a rule of its own. */
export function roleOfKind(kind: string): "skip" | "keep" {
  return SKIPPED.has(kind) ? "skip" : "keep"
}

/** Why lines of this kind are skipped. */
export function reasonToSkip(kind: string): string {
  if (kind.startsWith("progress")) return "It repeats what a result or the transcript of a sub-agent holds."
  if (SNAPSHOTS.has(kind)) return `It is larger than ${SNAPSHOT_LIMIT} bytes.`
  return SKIPPED.get(kind) ?? "It has no content."
}
