/** What goes to the model as a prompt. */
export const PROMPTS: ReadonlySet<string> = new Set([
  "user",
  "user:mid_turn_user_message",
  "user:notification",
  "user:cron",
  "user:goal_runtime",
  "user:agent_launch_prompt",
])

/** What of it no person typed, and people see. */
export const SHOWN: ReadonlySet<string> = new Set(["user:notification", "user:cron"])

/** Kinds that this release knows, and keeps as they are: those that Qwen Code 0.24 validates. */
export const KEPT: ReadonlySet<string> = new Set(
  [
    ...["agent_bootstrap", "agent_launch_prompt", "agent_retry", "agent_session_ready", "attribution_snapshot"],
    ...["background_task_completed", "branch_checkpoint", "file_history_snapshot", "goal_runtime", "goal_state"],
    ...["goal_turn_end", "managed_session_commit_v1", "managed_session_event_v1", "managed_session_header_v1"],
    ...["notification", "omni_recall", "session_approval_mode", "session_artifact_event"],
    ...["session_artifact_snapshot", "session_execution_engine", "session_model", "session_notes", "session_source"],
    ...["session_sources_snapshot", "slash_command", "turn_attempt", "turn_result", "user_text_elements"],
  ].map((subtype) => `system:${subtype}`),
)

/** Kinds that stand beside the conversation: what is behind them does not hang on them, nor they on it. */
export const SIDE: ReadonlySet<string> = new Set(
  [
    ...["managed_session_commit_v1", "managed_session_event_v1", "managed_session_header_v1"],
    ...["session_artifact_event", "session_artifact_snapshot", "session_sources_snapshot"],
  ].map((subtype) => `system:${subtype}`),
)

/** Whose API a kind of authentication is for. */
export const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["gemini", "google"],
  ["qwen-oauth", "qwen"],
  ["vertex-ai", "google-vertex"],
])
