import { claudeCode } from "./claude-code/place.js"
import { codex } from "./codex/place.js"
import { copilot } from "./copilot/place.js"
import { crush } from "./crush/place.js"
import { cursor } from "./cursor/place.js"
import { cursorAgent } from "./cursor-agent/place.js"
import { droid } from "./droid/place.js"
import { gemini } from "./gemini/place.js"
import { hermes } from "./hermes/place.js"
import { kilo } from "./kilo/place.js"
import { kimi } from "./kimi/place.js"
import { openclaw } from "./openclaw/place.js"
import { opencode } from "./opencode/place.js"
import { piDurable } from "./pi-durable/place.js"
import { qclaw } from "./qclaw/place.js"
import { qwen } from "./qwen/place.js"
import { cline, clineVsCode, kiloVsCode, roo } from "./tasks/places.js"
import { vscode, vscodeInsiders, vscodium } from "./vscode/places.js"

/** Where the agents of this package keep their sessions. An entry point of its own, for what only looks for them. */
export const PLACES = [
  claudeCode,
  codex,
  opencode,
  kilo,
  copilot,
  openclaw,
  qclaw,
  gemini,
  qwen,
  kimi,
  droid,
  hermes,
  cline,
  clineVsCode,
  roo,
  kiloVsCode,
  vscode,
  vscodeInsiders,
  vscodium,
  cursor,
  cursorAgent,
  crush,
  piDurable,
] as const

/** The name of an agent that this package reads. */
export type AgentName = (typeof PLACES)[number]["name"]

export type { AgentPlace } from "@treelog-internal/agent-files/records"
export { KIT_VERSION } from "./define-agent.js"
