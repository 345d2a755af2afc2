/** How often these come depends on how fast things are. */
const TIMING = ["message_update", "tool_execution_update", "extension_ui_request"]

/** The events and answers that do not depend on time. */
export function withoutTiming<T extends { readonly type: string }>(events: readonly T[]): T[] {
  return events.filter(({ type }) => !TIMING.includes(type))
}
