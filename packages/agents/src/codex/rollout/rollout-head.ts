import { countIn, isObject, type Json, objectIn, textIn } from "@treelog-internal/agent-files"

/** What the first line of a rollout says of its place among the others. */
export interface RolloutHead {
  /** The payload of `session_meta`. */
  readonly meta: Json
  readonly threadId: string | undefined
  /** Where its history begins: in the rollout of a thread or a revision, up to a byte of its uncompressed form. */
  readonly base: { readonly id: string; readonly end: number } | undefined
  readonly forkedFrom: string | undefined
  /** The thread that started this one as a sub-agent. */
  readonly parentThread: string | undefined
  /** What it does for that: `subagent`, `review`, or what Codex calls it, such as `guardian`. */
  readonly role: string
  /** The ordinal of its first line of its own; those before were copied from another thread. */
  readonly ownFrom: number | undefined
}

/** @param meta the payload of a `session_meta` line */
export function rolloutHead(meta: Json): RolloutHead {
  const base = objectIn(meta, "history_base") ?? {}
  const baseId = textIn(base, "thread_id")
  const forkedFrom = textIn(meta, "forked_from_id")
  const subagent = objectIn(meta, "source")?.subagent
  const described = isObject(subagent) ? subagent : {}
  const spawn = objectIn(described, "thread_spawn")
  // Reviews and other helpers name only the thread whose history they began with.
  const startedBy = spawn ? textIn(spawn, "parent_thread_id") : subagent ? forkedFrom : undefined
  return {
    meta,
    threadId: textIn(meta, "id"),
    base: baseId === undefined ? undefined : { id: baseId, end: countIn(base, "end_byte_offset") },
    forkedFrom,
    parentThread: textIn(meta, "parent_thread_id") ?? startedBy,
    role: (typeof subagent === "string" ? subagent : textIn(described, "other")) || "subagent",
    ownFrom: countIn(meta, "subagent_history_start_ordinal") || undefined,
  }
}

/** How Codex was started: absent is as an editor. */
export function sourceIn({ source }: Json): string {
  if (source === undefined || source === null) return "vscode"
  return typeof source === "string" ? source : (Object.keys(source)[0] ?? "unknown")
}

const LISTED: ReadonlySet<string> = new Set(["cli", "vscode", "custom"])

/** Whether Codex lists the thread for a person: no program such as `codex exec` had it, and none attached it to another thread. */
export function isListed(meta: Json): boolean {
  return LISTED.has(sourceIn(meta)) && meta.attached_thread !== true
}
