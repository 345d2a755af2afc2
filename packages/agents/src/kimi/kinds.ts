/** Kinds that this release knows, and keeps as they are: those of the protocol 1.5, and of versions before. */
export const KEPT: ReadonlySet<string> = new Set(
  `background.stop config.update context.mark_last_user_prompt_blocked context.update_token_count
  cron.add cron.cursor cron.delete file_history.checkpoint file_history.tracked full_compaction.begin
  full_compaction.cancel full_compaction.complete goal.account_usage goal.clear goal.continuation goal.create goal.update
  interaction.request interaction.resolved interruptionReminder.recorded mcp.tools_discovered micro_compaction.apply
  permission.record_approval_result permission.rules.add permission.set_mode plan.revision plan_mode.cancel plan_mode.enter
  plan_mode.exit plugin.session_start profile.bind prompt.aborted prompt.accepted prompt.completed prompt.queued
  runtime.set_binding skill.activated subagent.cancelled
  subagent.completed subagent.failed subagent.spawned subagent.started subagent.suspended staleGuard.cleared staleGuard.recorded swarm_mode.enter task.notified task.started
  task.terminated task.waitDelivered tools.register_user_tool tools.reset_active_tools tools.set_active_tools
  tools.unregister_user_tool tools.update_store tower.inbox.sent tower_mode.enter tower_mode.exit`.split(/\s+/),
)

const COUNTS = "counts what Kimi Code counts again"
const AGAIN = "says again what other records say"

/** Kinds that are in no entry, with the reason. */
export const SKIPPED: ReadonlyMap<string, string> = new Map([
  ["token_counting.measured", COUNTS],
  ["token_counting.rebased", COUNTS],
  ["token_counting.truncated", COUNTS],
  ["token_counting.turn_recorded", COUNTS],
  ["agent.message.appended", AGAIN],
  ["agent.turn.started", AGAIN],
  ["agent.turn.ended", AGAIN],
  ["turn.prompt", AGAIN],
  ["turn.steer", AGAIN],
  ["turn.started", AGAIN],
  ["turn.step.interrupted", AGAIN],
  ["context.undone", AGAIN],
  ["llm.tools_snapshot", "the tools, as each request had them"],
])
