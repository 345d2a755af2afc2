import { objectIn, textIn } from "@treelog-internal/agent-files"
import type { RolloutLine } from "../rollout/rollout-line.js"

/** The kind of a line in a report, such as `response_item:reasoning` or `event_msg:item_completed:Plan`. */
export function kindOfLine({ type, payload }: RolloutLine): string {
  if (type !== "response_item" && type !== "event_msg") return type
  const inner = textIn(payload, "type") ?? "none"
  if (inner !== "item_completed") return `${type}:${inner}`
  return `${type}:${inner}:${textIn(objectIn(payload, "item") ?? {}, "type") ?? "none"}`
}

const kinds = (prefix: string, names: string): string[] => names.split(" ").map((name) => prefix + name)
const events = (names: string): string[] => kinds("event_msg:", names)
const completed = (names: string): string[] => kinds("event_msg:item_completed:", names)

/** Why lines are in no entry. */
export const SKIPPED = {
  mirrors: "repeats an item of the same file",
  repeated: "says nothing new",
  state: "the state of the program, which the items repeat for the model",
  turns: "the start or end of a turn, with its times",
  base: "usage of a thread that this one was forked from",
} as const

/** Kinds that are in no entry, with the reason. */
export const SKIPPED_KINDS: ReadonlyMap<string, string> = new Map(
  [
    { reason: SKIPPED.state, of: kinds("", "world_state retained_context inter_agent_communication_metadata record") },
    { reason: SKIPPED.turns, of: events("task_started task_complete turn_started turn_complete") },
    { reason: SKIPPED.mirrors, of: events("user_message agent_message agent_reasoning agent_reasoning_raw_content") },
    { reason: SKIPPED.mirrors, of: events("context_compacted") },
    { reason: SKIPPED.mirrors, of: completed("UserMessage AgentMessage Reasoning ContextCompaction") },
  ].flatMap(({ reason, of }) => of.map((kind) => [kind, reason])),
)

/** Events of a call, which become details of its result: by the field with the id of the call. */
export const CALL_EVENTS: ReadonlySet<string> = new Set([
  ...events("exec_command_end mcp_tool_call_end patch_apply_end web_search_end view_image_tool_call"),
  ...events("collab_agent_spawn_end image_generation_end"),
  ...completed("CommandExecution FileChange McpToolCall WebSearch ImageView ImageGeneration CollabAgentToolCall"),
])

/** Other kinds that this release knows, and keeps as they are. */
export const KEPT_KINDS: ReadonlySet<string> = new Set([
  ...kinds("", "security_risk_score"),
  ...events("error stream_error warning entered_review_mode exited_review_mode turn_aborted thread_goal_updated"),
  ...events("collab_agent_interaction_end collab_waiting_end collab_close_end collab_resume_end guardian_assessment"),
  ...events("dynamic_tool_call_request dynamic_tool_call_response"),
  ...completed("Plan HookPrompt Extension Sleep SubAgentActivity EnteredReviewMode ExitedReviewMode"),
])

/** Kinds of items that are kept as they are. */
export const KEPT_ITEMS: ReadonlySet<string> = new Set(["ghost_snapshot", "additional_tools"])

/** What a model answers, beside messages. */
export const REPLY_ITEMS: ReadonlySet<string> = new Set([
  ...kinds("", "reasoning function_call custom_tool_call local_shell_call tool_search_call web_search_call"),
  ...kinds("", "image_generation_call compaction compaction_summary context_compaction"),
])
