import type { SessionEntry } from "./entry.js"
import { changedModel, modelName } from "./model-ref.js"
import { valueText as text } from "./value-text.js"

/** Properties of a kind of entry. To add a kind, add its type to entry.ts, its schema, and a row to `ENTRY_KINDS`. */
export interface EntryKind {
  /** What it contributes to the context. */
  readonly gives: "message" | "settings" | "edit" | "boundary" | "nothing"
  /** Whether it is part of the conversation; otherwise it is bookkeeping. */
  readonly conversation: boolean
  /** A short description. The text may contain anything that was stored: escape it before you display it. */
  describe(entry: SessionEntry): string
}

type Fields = Record<string, unknown>

/* @__NO_SIDE_EFFECTS__ */
function kind(gives: EntryKind["gives"], conversation: boolean, describe: (fields: Fields) => string): EntryKind {
  return { gives, conversation, describe: (entry) => describe(entry as unknown as Fields) }
}

/* @__NO_SIDE_EFFECTS__ */
function keptOnly(name: string): EntryKind {
  return kind("nothing", false, () => name)
}

/** The known kinds, by type. Entries of other types are kept byte for byte and are part of the tree, but add no message. */
export const ENTRY_KINDS: Readonly<Record<string, EntryKind>> = {
  message: kind("message", true, () => "message"),
  custom_message: kind("message", true, ({ customType }) => `message of ${text(customType)}`),
  branch_summary: kind("message", true, ({ fromId }) => `summary of the branch that ended at ${text(fromId)}`),
  compaction: kind("boundary", true, ({ tokensBefore }) => `compacted from ${text(tokensBefore)} tokens`),
  reset_boundary: kind("boundary", true, () => "context reset"),
  context_edit: kind(
    "edit",
    false,
    ({ targetId, replacement }) => `${replacement === null ? "omits" : "edits"} ${text(targetId)}`,
  ),
  model_change: kind("settings", false, (entry) => {
    const model = changedModel(entry as never)
    const role = entry.role === undefined || entry.role === "default" ? "" : ` (${text(entry.role)})`
    return `model ${model ? modelName(model) : "unknown"}${role}`
  }),
  thinking_level_change: kind("settings", false, ({ thinkingLevel }) => `thinking ${text(thinkingLevel ?? "off")}`),
  mode_change: kind("settings", false, ({ mode }) => `mode ${text(mode)}`),
  ttsr_injection: kind(
    "settings",
    false,
    ({ injectedRules }) =>
      `rules ${text(Array.isArray(injectedRules) ? injectedRules.map(text).join(",") : injectedRules)}`,
  ),
  label: kind("nothing", false, ({ targetId, label }) =>
    label ? `label ${text(label)} on ${text(targetId)}` : `label off ${text(targetId)}`,
  ),
  session_info: kind("nothing", false, ({ name }) => (name ? `name ${text(name)}` : "name cleared")),
  title_change: kind("nothing", false, ({ title }) => `title ${text(title)}`),
  custom: kind("nothing", false, ({ customType }) => `data of ${text(customType)}`),
  session_init: kind("nothing", false, ({ task }) => `task ${text(task)}`),
  usage: kind("nothing", false, ({ model }) => `usage of ${text(model)}`),
  model_usage: kind("nothing", false, ({ model }) => `usage of ${text(model)}`),
  leaf: kind("nothing", false, ({ targetId }) => `leaf moved to ${text(targetId)}`),
  service_tier_change: keptOnly("service tier"),
  credential_pin: keptOnly("credential pin"),
  context_change: keptOnly("context change"),
  mcp_tool_selection: keptOnly("tool selection"),
}

/** The kind of an entry, known or unknown. */
export function kindOf(entry: SessionEntry): EntryKind {
  return Object.hasOwn(ENTRY_KINDS, entry.type) ? (ENTRY_KINDS[entry.type] ?? UNKNOWN) : UNKNOWN
}

const UNKNOWN = kind("nothing", false, ({ type }) => `${text(type)} (unknown kind)`)
