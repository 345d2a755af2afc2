/** Larger snapshots of the history of files are skipped: they say nothing of the conversation. Bytes. */
export const SNAPSHOT_LIMIT = 64 * 1024

/** Kinds that have a rule of their own. */
const CONVERTED = [
  "assistant",
  "user",
  "system:compact_boundary",
  "system:local_command",
  "system:microcompact_boundary",
  "system:model_refusal_fallback",
  "content-replacement",
  "queue-operation:dequeue",
  "queue-operation:enqueue",
  "queue-operation:popAll",
  "queue-operation:remove",
  "last-prompt",
  "tag",
  "custom-title",
  "agent-name",
  "ai-title",
  "summary",
]

/** Kinds that are kept as they are. */
const KEPT = [
  "system:api_error",
  "system:api_refusal",
  "system:error",
  "system:informational",
  "system:session_start",
  "file-history-snapshot",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "bridge-session",
  "cost-state",
  "frame-link",
  "mode",
  "permission-mode",
  "pr-link",
  "relocated",
  "result",
  "started",
  "tools-used",
  "worktree-state",
]

/** Kinds that are skipped, and why. */
const SKIPPED: Readonly<Record<string, string>> = {
  "system:stop_hook_summary": "It says how long hooks took.",
  "system:turn_duration": "It says how long a turn took.",
}

const KNOWN: ReadonlySet<string> = new Set([...CONVERTED, ...KEPT, ...Object.keys(SKIPPED)])

/** Attachments and progress have too many kinds to know them all, and are treated alike. */
export function isKnownKind(kind: string): boolean {
  return KNOWN.has(kind) || kind.startsWith("attachment:") || kind.startsWith("progress:")
}

/** Of a kind without a rule of its own. */
export function roleOfKind(kind: string): "skip" | "keep" {
  return Object.hasOwn(SKIPPED, kind) ? "skip" : "keep"
}

/** Why lines of this kind are skipped. */
export function reasonToSkip(kind: string): string {
  if (kind.startsWith("progress")) return "It repeats what a result or the transcript of a sub-agent holds."
  if (kind === "file-history-snapshot") return `It is larger than ${SNAPSHOT_LIMIT} bytes.`
  return SKIPPED[kind] ?? "It has no content."
}
