import { Claude } from "../claude-code/claude.js"
import { Codex } from "../codex/scenario.js"
import { offline } from "../copilot/offline.js"
import { runAgent } from "../frame/run-agent.js"
import { prepared } from "../gemini/prepared.js"
import { call } from "../model/prompt-calls.js"
import * as pi from "../pi/pi.js"
import { localPlace, MODEL } from "../qwen/run-qwen.js"
import type { LiveAgent } from "./live-agent.js"

/** What their tools take in common. Qwen Code refuses one that begins to sleep. */
const COMMAND = { command: "date; sleep 8", description: "sleep" }

export const CLAUDE_CODE: LiveAgent = {
  store: "claude-code",
  program: "claude",
  prepare: (place, model) => new Claude(place, model, { permissions: { ask: ["Bash"] } }).place,
  resume: (id) => ["--resume", id],
  ready: /mode on|for shortcuts/,
  command: call("Bash", COMMAND),
  asks: /Do you want to proceed/,
  quit: "/exit",
}

export const CODEX: LiveAgent = {
  store: "codex",
  program: "codex",
  prepare: (place, model) => new Codex(place, model, 'sandbox_mode = "read-only"').place,
  resume: (id) => ["resume", id],
  ready: /for shortcuts/,
  command: call("exec_command", {
    cmd: COMMAND.command,
    sandbox_permissions: "require_escalated",
    justification: "to see it",
  }),
  asks: /Would you like|Yes, proceed/,
  quit: "/quit",
  // A daemon that it starts has the session, and goes on with a turn.
  stop: (place) => runAgent(place, "codex", ["app-server", "daemon", "stop"]),
}

export const COPILOT: LiveAgent = {
  store: "copilot",
  program: "copilot",
  prepare: offline,
  resume: (id) => [`--resume=${id}`],
  ready: /\/ commands/,
  confirms: /Do you trust|Resume anyway/,
  command: call("bash", COMMAND),
  asks: /Do you want to run|Allow/,
  quit: "/exit",
}

export const GEMINI: LiveAgent = {
  store: "gemini",
  program: "gemini",
  args: ["-m", "gemini-2.5-pro"],
  prepare: (place, model) =>
    prepared(place, model, {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, sessionRetention: { enabled: false } },
    }),
  resume: (id) => ["--resume", id],
  ready: /Type your message/,
  command: call("run_shell_command", COMMAND),
  asks: /Allow execution/,
  quit: "/quit",
  unknown: ["waits-for-permission", "waits-for-prompt"],
}

export const QWEN: LiveAgent = {
  store: "qwen",
  program: "qwen",
  args: ["--auth-type", "anthropic", "-m", MODEL, "--approval-mode", "default"],
  prepare: localPlace,
  resume: (id) => ["--resume", id],
  ready: /Type your message/,
  command: call("run_shell_command", { ...COMMAND, is_background: false }),
  asks: /Allow execution/,
  quit: "/quit",
}

/** It asks for no permissions. */
export const PI: LiveAgent = {
  store: "pi",
  program: "pi",
  args: pi.LOCAL,
  prepare(place, model) {
    pi.settle("pi", place.home, model)
    return place
  },
  resume: (id) => ["--session", id],
  ready: /local-1/,
  command: call("bash", COMMAND),
  quit: "/quit",
}
