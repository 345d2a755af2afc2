import type { Fields } from "./format-entry.js"

interface Kind {
  readonly type: string
  readonly fields: Fields
}

const USAGE = {
  input: 0,
  output: 12,
  cacheRead: 2_600,
  cacheWrite: 0,
  totalTokens: 2_612,
  cost: { input: 0, output: 0.00018, cacheRead: 0.00078, cacheWrite: 0, total: 0.00096 },
}

/** What a session begins with, and what sets something. */
export const SETTINGS_KINDS: readonly Kind[] = [
  {
    type: "session_init",
    fields: { systemPrompt: "You are a scout.", task: "Look", tools: ["read"], outputSchema: { type: "object" } },
  },
  { type: "mode_change", fields: { mode: "plan", data: { planFile: "docs/plan.md" } } },
  { type: "ttsr_injection", fields: { injectedRules: ["no-any", "auth-first"] } },
  { type: "ttsr_injection", fields: { injectedRules: ["auth-first", "small-files"] } },
  { type: "session_info", fields: { name: "All kinds 全部" } },
  { type: "title_change", fields: { title: "Every kind", source: "auto" } },
  { type: "custom", fields: { customType: "todo", data: { items: [{ text: "validate", done: false }] } } },
  { type: "custom", fields: { customType: "empty" } },
  {
    type: "custom_message",
    fields: { customType: "memory", content: [{ type: "text", text: "zod" }], display: true, details: { n: 1 } },
  },
  {
    type: "custom_message",
    fields: { customType: "note", content: "be strict", display: false, attribution: "agent" },
  },
  {
    type: "usage",
    fields: { kind: "cache_warm", provider: "anthropic", model: "claude-sonnet-4-5", usage: USAGE, note: "warm" },
  },
  {
    type: "model_usage",
    fields: {
      purpose: "title",
      role: "smol",
      api: "openai-responses",
      provider: "openai",
      model: "gpt-5-mini",
      usage: USAGE,
    },
  },
  { type: "service_tier_change", fields: { serviceTier: { anthropic: "priority" } } },
  { type: "credential_pin", fields: { provider: "anthropic", hash: "0f1e2d3c" } },
  { type: "context_change", fields: { added: ["docs/plan.md"], removed: [] } },
  { type: "mcp_tool_selection", fields: { selectedToolNames: ["mcp__db__query"] } },
]

/** What changes so much that it is on a branch of its own. */
export const SIDE_KINDS: readonly Kind[] = [
  { type: "reset_boundary", fields: {} },
  { type: "thinking_level_change", fields: { thinkingLevel: null, configured: "auto" } },
  { type: "mode_change", fields: { mode: "none" } },
  { type: "session_info", fields: { name: "" } },
  { type: "session_info", fields: { name: "All kinds" } },
]

/** What no program of today writes: unknown types, unknown fields on known ones, keys that are dangerous to copy. */
export const UNKNOWN_KINDS: readonly Kind[] = [
  { type: "future_kind", fields: { payload: { zeta: 1, alpha: [true, null, 1e21, -0.5] } } },
  { type: "vendor/x.y", fields: { message: { role: "user", content: "not a message entry" } } },
  {
    type: "custom",
    fields: {
      customType: "vendor",
      data: JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
      extra: "kept",
    },
  },
]
