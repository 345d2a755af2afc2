import { Claude } from "../claude-code/claude.js"
import { Codex } from "../codex/scenario.js"
import { offline } from "../copilot/offline.js"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { runAgent } from "../frame/run-agent.js"
import { prepared } from "../gemini/prepared.js"
import { call } from "../model/prompt-calls.js"
import { Opencode } from "../opencode/opencode.js"
import { Pi } from "../pi/pi.js"
import { inTerminal } from "../qwen/run-qwen.js"
import type { LiveAgent } from "./live-states.js"

/** What their tools take in common. Qwen Code refuses one that only sleeps. */
const COMMAND = { command: "date; sleep 8", description: "sleep" }

/** Answers yes, which is chosen. */
const allow: LiveAgent["allow"] = (terminal) => terminal.press("Enter")

export const CLAUDE_CODE: LiveAgent = {
  store: "claude-code",
  async start(place, model) {
    const terminal = new Claude(place, model, { permissions: { ask: ["Bash"] } }).inTerminal()
    await terminal.shows(/mode on|for shortcuts/)
    return terminal
  },
  command: call("Bash", COMMAND),
  asks: /Do you want to proceed/,
  allow,
  quit: "/exit",
}

export const CODEX: LiveAgent = {
  store: "codex",
  async start(place, model) {
    const terminal = new Codex(place, model, 'sandbox_mode = "read-only"').inTerminal()
    await terminal.shows("for shortcuts")
    return terminal
  },
  command: call("exec_command", {
    cmd: COMMAND.command,
    sandbox_permissions: "require_escalated",
    justification: "to see it",
  }),
  asks: /Would you like|Yes, proceed/,
  allow,
  quit: "/quit",
  // A daemon that it starts has the session, and goes on with a turn.
  stop: (place) => runAgent(place, "codex", ["app-server", "daemon", "stop"]),
}

export const OPENCODE: LiveAgent = {
  store: "opencode",
  async start(place, model) {
    const terminal = Opencode.inTerminal(place, model, { permission: { bash: "ask" } })
    await terminal.shows("Ask anything")
    return terminal
  },
  command: call("bash", COMMAND),
  asks: /Permission required|Allow once/,
  allow,
  quit: "/exit",
}

export const COPILOT: LiveAgent = {
  store: "copilot",
  async start(place, model) {
    const terminal = new AgentInTerminal(offline(place, model), "copilot", [])
    await terminal.shows("Do you trust")
    terminal.press("Enter")
    await terminal.shows("/ commands")
    return terminal
  },
  command: call("bash", COMMAND),
  asks: /Do you want to run|Allow/,
  allow,
  quit: "/exit",
}

export const GEMINI: LiveAgent = {
  store: "gemini",
  async start(place, model) {
    const terminal = new AgentInTerminal(prepared(place, model), "gemini", ["-m", "gemini-2.5-pro", "--skip-trust"])
    await terminal.shows("Type your message")
    return terminal
  },
  command: call("run_shell_command", COMMAND),
  asks: /Allow execution/,
  allow,
  quit: "/quit",
  unknown: ["waits-for-permission", "waits-for-prompt"],
}

export const QWEN: LiveAgent = {
  store: "qwen",
  async start(place, model) {
    const terminal = inTerminal(place, model, ["--approval-mode", "default"])
    await terminal.shows("Type your message")
    return terminal
  },
  command: call("run_shell_command", { ...COMMAND, is_background: false }),
  asks: /Allow execution/,
  allow,
  quit: "/quit",
}

/** It asks for no permissions. */
export const PI: LiveAgent = {
  store: "pi",
  async start(place, model) {
    const terminal = await Pi.inTerminal(place, model)
    await terminal.shows("Press ctrl")
    return terminal
  },
  command: call("bash", COMMAND),
  quit: "/quit",
}
