import type { SourceDefinition } from "@treelog-internal/agent-files"
import type { AgentDefinition, AgentOptions, RecordedAgentStorage } from "@treelog-internal/agent-files/records"
import type { AgentName } from "./places.js"

/** Only the code of the agent that is meant is loaded. */
const AGENTS: Readonly<
  Record<AgentName, () => Promise<{ readonly agent: AgentDefinition | SourceDefinition<AgentOptions> }>>
> = {
  "claude-code": () => import("./claude-code/agent.js"),
  codex: () => import("./codex/agent.js"),
  copilot: () => import("./copilot/agent.js"),
  cursor: () => import("./cursor/agent.js"),
  "cursor-agent": () => import("./cursor-agent/agent.js"),
  kilo: () => import("./kilo/agent.js"),
  openclaw: () => import("./openclaw/agent.js"),
  opencode: () => import("./opencode/agent.js"),
  qclaw: () => import("./qclaw/agent.js"),
  gemini: () => import("./gemini/agent.js"),
  qwen: () => import("./qwen/agent.js"),
  kimi: () => import("./kimi/agent.js"),
  droid: () => import("./droid/agent.js"),
  hermes: () => import("./hermes/agent.js"),
  cline: () => tasksOf("cline"),
  "cline-vscode": () => tasksOf("clineVsCode"),
  roo: () => tasksOf("roo"),
  "kilo-vscode": () => tasksOf("kiloVsCode"),
  vscode: () => vsCodeOf("vscode"),
  "vscode-insiders": () => vsCodeOf("vscodeInsiders"),
  vscodium: () => vsCodeOf("vscodium"),
  crush: () => import("./crush/agent.js"),
  "pi-durable": () => import("./pi-durable/agent.js"),
}

async function tasksOf(
  name: "cline" | "clineVsCode" | "roo" | "kiloVsCode",
): Promise<{ readonly agent: AgentDefinition }> {
  const [{ tasksAgent }, places] = await Promise.all([import("./tasks/agent.js"), import("./tasks/places.js")])
  return { agent: tasksAgent(places[name]) }
}

async function vsCodeOf(name: "vscode" | "vscodeInsiders" | "vscodium"): Promise<{ readonly agent: AgentDefinition }> {
  const [{ vsCodeAgent }, places] = await Promise.all([import("./vscode/agent.js"), import("./vscode/places.js")])
  return { agent: vsCodeAgent(places[name]) }
}

/**
 * Opens the trajectories of a folder: JSON documents of Harbor's Agent Trajectory Interchange Format, versions 1.0 to 1.8.
 * @param dir an absolute path
 */
export async function openTrajectories(
  dir: string,
  options: Omit<AgentOptions, "dir"> = {},
): Promise<RecordedAgentStorage> {
  const [{ openAgentStorage }, { agent }] = await Promise.all([import("./kit.js"), import("./atif/agent.js")])
  return openAgentStorage(agent, { ...options, dir })
}

/** Opens the sessions of an agent where they are. What is done with them writes nothing in the agent's folder. */
export async function openAgent(name: AgentName, options: AgentOptions = {}): Promise<RecordedAgentStorage> {
  const [{ openAgentStorage }, { agent }] = await Promise.all([import("./kit.js"), AGENTS[name]()])
  return openAgentStorage(agent, options)
}
