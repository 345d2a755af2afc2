import type { Target } from "./target.js"
import { claudeCode } from "./targets/claude-code.js"
import { codex } from "./targets/codex.js"
import { copilot } from "./targets/copilot.js"
import { gemini } from "./targets/gemini.js"
import { opencode } from "./targets/opencode.js"
import { qwen } from "./targets/qwen.js"

/** The agents that copies are tried in: those that sessions can be written for. */
export const TARGETS: readonly Target[] = [codex, claudeCode, gemini, qwen, opencode, copilot]
