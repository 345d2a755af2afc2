import { type Json, objectIn, textIn } from "@treelog-internal/agent-files"

/** Larger snapshots of the history of files are skipped: they say nothing of the conversation. Bytes. */
export const SNAPSHOT_LIMIT = 64 * 1024

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
  ...["microcompact_boundary", "model_refusal_fallback", "session_start"],
]

const KNOWN: ReadonlySet<string> = new Set([
  ...["agent-name", "ai-title", "api-request", "api-request-blob", "api-request-shape", "assistant", "atis-latch"],
  ...[
    "bridge-session",
    "content-replacement",
    "continued-in",
    "cost-state",
    "custom-title",
    "file-history-snapshot",
    "frame-link",
  ],
  ...["last-prompt", "mode", "permission-mode", "pr-link", "relocated", "result", "started", "summary", "tag"],
  ...["tools-used", "treelog-copy", "user", "worktree-state"],
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
  if (kind === "file-history-snapshot") return `It is larger than ${SNAPSHOT_LIMIT} bytes.`
  return SKIPPED.get(kind) ?? "It has no content."
}
