import type { SessionEntry } from "./entry.js"
import { PART } from "./part.js"
import { changedModel, modelName } from "./settings.js"
import { isJsonObject, valueText as text } from "./values.js"

/** Properties of a kind of entry. To add a kind, add its type to entry.ts, its schema, and a row to `ENTRY_KINDS`. */
export interface EntryKind {
  /** What it contributes to the context. */
  readonly gives: "message" | "settings" | "edit" | "boundary" | "nothing"
  /** Whether it is part of the conversation: a message or a boundary. Otherwise it is bookkeeping. */
  readonly conversation: boolean
  /** A short description. The text may contain anything that was stored: escape it before you display it. */
  describe(entry: SessionEntry): string
}

type Fields = Record<string, unknown>

/* @__NO_SIDE_EFFECTS__ */
function kind(gives: EntryKind["gives"], describe: (fields: Fields) => string): EntryKind {
  const conversation = gives === "message" || gives === "boundary"
  return { gives, conversation, describe: (entry) => describe(entry as unknown as Fields) }
}

/** The known kinds, by type. Entries of other types are kept byte for byte and are part of the tree, but add no message. */
export const ENTRY_KINDS: Readonly<Record<string, EntryKind>> = {
  message: kind("message", () => "message"),
  custom_message: kind("message", ({ customType }) => `message of ${text(customType)}`),
  branch_summary: kind("message", ({ fromId }) => `summary of the branch that ended at ${text(fromId)}`),
  compaction: kind("boundary", ({ tokensBefore }) => `compacted from ${text(tokensBefore)} tokens`),
  reset_boundary: kind("boundary", () => "context reset"),
  context_edit: kind(
    "edit",
    ({ targetId, replacement }) => `${replacement === null ? "omits" : "edits"} ${text(targetId)}`,
  ),
  model_change: kind("settings", (entry) => {
    const model = changedModel(entry)
    const role = entry.role === undefined || entry.role === "default" ? "" : ` (${text(entry.role)})`
    return `model ${model ? modelName(model) : "unknown"}${role}`
  }),
  thinking_level_change: kind("settings", ({ thinkingLevel }) => `thinking ${text(thinkingLevel ?? "off")}`),
  mode_change: kind("settings", ({ mode }) => `mode ${text(mode)}`),
  ttsr_injection: kind(
    "settings",
    ({ injectedRules }) =>
      `rules ${text(Array.isArray(injectedRules) ? injectedRules.map(text).join(",") : injectedRules)}`,
  ),
  label: kind("nothing", ({ targetId, label }) =>
    label ? `label ${text(label)} on ${text(targetId)}` : `label off ${text(targetId)}`,
  ),
  session_info: kind("nothing", ({ name }) => (name ? `name ${text(name)}` : "name cleared")),
  title_change: kind("nothing", ({ title }) => `title ${text(title)}`),
  custom: kind("nothing", ({ customType, data }) =>
    customType === PART && isJsonObject(data) ? describePart(data) : `data of ${text(customType)}`,
  ),
  session_init: kind("nothing", ({ task }) => `task ${text(task)}`),
  usage: kind("nothing", ({ model }) => `usage of ${text(model)}`),
  model_usage: kind("nothing", ({ model }) => `usage of ${text(model)}`),
  leaf: kind("nothing", ({ targetId }) => `leaf moved to ${text(targetId)}`),
  service_tier_change: kind("nothing", () => "service tier"),
  credential_pin: kind("nothing", () => "credential pin"),
  context_change: kind("nothing", () => "context change"),
  mcp_tool_selection: kind("nothing", () => "tool selection"),
}

/** Such as `subagent subagents/agent-a1.jsonl: Look around (7 messages)`; what is not known is left out. */
function describePart(part: object): string {
  const { role, name, title, messages, error } = part as Fields
  const count = typeof messages === "number" ? `(${messages} messages)` : undefined
  const what = (error === undefined ? [title, count] : [error]).filter((one) => one !== undefined).map(text)
  return `${text(role)} ${text(name)}${what.length > 0 ? `: ${what.join(" ")}` : ""}`
}

/** The kind of an entry, known or unknown. */
export function kindOf(entry: SessionEntry): EntryKind {
  return Object.hasOwn(ENTRY_KINDS, entry.type) ? (ENTRY_KINDS[entry.type] ?? UNKNOWN) : UNKNOWN
}

const UNKNOWN = kind("nothing", ({ type }) => `${text(type)} (unknown kind)`)
