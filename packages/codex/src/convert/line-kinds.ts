import { objectIn, textIn } from "@treelog-internal/agent-files"
import type { RolloutLine } from "../rollout/rollout-line.js"
import { SKIPPED } from "./skipped.js"

/** The kind of a line in a report, such as `response_item:reasoning` or `event_msg:item_completed:Plan`. */
export function kindOfLine({ type, payload }: RolloutLine): string {
  if (type !== "response_item" && type !== "event_msg") return type
  const inner = textIn(payload, "type") ?? "none"
  if (inner !== "item_completed") return `${type}:${inner}`
  const item = objectIn(payload, "item")
  return `${type}:${inner}:${(item && textIn(item, "type")) ?? "none"}`
}

/** Kinds that are in no entry, with the reason. */
const SKIPPED_KINDS: Readonly<Record<string, string>> = {
  world_state: SKIPPED.state,
  retained_context: SKIPPED.state,
  inter_agent_communication_metadata: SKIPPED.state,
  record: SKIPPED.state,
  "event_msg:task_started": SKIPPED.turns,
  "event_msg:task_complete": SKIPPED.turns,
  "event_msg:turn_started": SKIPPED.turns,
  "event_msg:turn_complete": SKIPPED.turns,
  "event_msg:user_message": SKIPPED.mirrors,
  "event_msg:agent_message": SKIPPED.mirrors,
  "event_msg:agent_reasoning": SKIPPED.mirrors,
  "event_msg:agent_reasoning_raw_content": SKIPPED.mirrors,
  "event_msg:context_compacted": SKIPPED.mirrors,
  "event_msg:item_completed:UserMessage": SKIPPED.mirrors,
  "event_msg:item_completed:AgentMessage": SKIPPED.mirrors,
  "event_msg:item_completed:Reasoning": SKIPPED.mirrors,
  "event_msg:item_completed:ContextCompaction": SKIPPED.mirrors,
}

/** Why lines of a kind are in no entry; undefined where they are. */
export function reasonToSkip(kind: string): string | undefined {
  return Object.hasOwn(SKIPPED_KINDS, kind) ? SKIPPED_KINDS[kind] : undefined
}

/** Events of a call, which become details of its result: by the field with the id of the call. */
export const CALL_EVENTS: ReadonlySet<string> = new Set([
  "event_msg:exec_command_end",
  "event_msg:mcp_tool_call_end",
  "event_msg:patch_apply_end",
  "event_msg:web_search_end",
  "event_msg:view_image_tool_call",
  "event_msg:item_completed:CommandExecution",
  "event_msg:item_completed:FileChange",
  "event_msg:item_completed:McpToolCall",
  "event_msg:item_completed:WebSearch",
  "event_msg:item_completed:ImageView",
  "event_msg:item_completed:ImageGeneration",
  "event_msg:item_completed:CollabAgentToolCall",
])

/** Other kinds that this release knows, and keeps as they are. */
export const KEPT_KINDS: ReadonlySet<string> = new Set([
  "security_risk_score",
  "realtime_item",
  "response_item:ghost_snapshot",
  "response_item:additional_tools",
  "event_msg:error",
  "event_msg:stream_error",
  "event_msg:warning",
  "event_msg:entered_review_mode",
  "event_msg:exited_review_mode",
  "event_msg:turn_aborted",
  "event_msg:thread_goal_updated",
  "event_msg:item_completed:Plan",
  "event_msg:item_completed:HookPrompt",
  "event_msg:item_completed:Extension",
  "event_msg:item_completed:SubAgentActivity",
  "event_msg:item_completed:EnteredReviewMode",
  "event_msg:item_completed:ExitedReviewMode",
])
