import { countIn, isObject, type Json, objectIn, textIn } from "@treelog-internal/agent-files"

/** Where the history of a rollout begins: in another one, up to a byte of its uncompressed form. */
export interface HistoryBase {
  /** The id of a thread or of a revision. */
  readonly id: string
  /** Bytes. */
  readonly end: number
}

/** What the first line of a rollout says of its place among the others. */
export interface RolloutHead {
  /** The payload of `session_meta`. */
  readonly meta: Json
  readonly threadId: string | undefined
  readonly base: HistoryBase | undefined
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
  const base = objectIn(meta, "history_base")
  const baseId = base && textIn(base, "thread_id")
  return {
    meta,
    threadId: textIn(meta, "id"),
    base: base && baseId !== undefined ? { id: baseId, end: countIn(base, "end_byte_offset") } : undefined,
    forkedFrom: textIn(meta, "forked_from_id"),
    parentThread: parentThread(meta),
    role: roleIn(meta),
    ownFrom: countIn(meta, "subagent_history_start_ordinal") || undefined,
  }
}

function parentThread(meta: Json): string | undefined {
  const named = textIn(meta, "parent_thread_id")
  if (named !== undefined) return named
  const subagent = objectIn(meta, "source")?.subagent
  const spawn = isObject(subagent) ? objectIn(subagent, "thread_spawn") : undefined
  // Reviews and other helpers name only the thread whose history they began with.
  return spawn ? textIn(spawn, "parent_thread_id") : subagent ? textIn(meta, "forked_from_id") : undefined
}

function roleIn(meta: Json): string {
  const subagent = objectIn(meta, "source")?.subagent
  if (typeof subagent === "string" && subagent !== "") return subagent
  return (isObject(subagent) && textIn(subagent, "other")) || "subagent"
}
