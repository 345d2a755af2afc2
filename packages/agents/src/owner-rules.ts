import type { OwnerRules } from "@treelog-internal/agent-files/owner"

/** Only the code of the agent that is meant is loaded. */
const RULES: Readonly<Record<string, () => Promise<{ readonly owner: OwnerRules }>>> = {
  "claude-code": () => import("./owners/claude-code.js"),
  codex: () => import("./owners/codex.js"),
  copilot: () => import("./owners/copilot.js"),
  gemini: () => import("./owners/gemini.js"),
  opencode: () => import("./owners/opencode.js"),
  qwen: () => import("./owners/qwen.js"),
}

/** What an agent does with its own sessions; undefined of one whose rules are unknown. */
export async function ownerRules(agent: string): Promise<OwnerRules | undefined> {
  return (await RULES[agent]?.())?.owner
}
