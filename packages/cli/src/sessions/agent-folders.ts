import { join } from "node:path"
import { absoluteFolder, type Io } from "../io/io.js"
import { isFolder } from "../io/is-folder.js"
import type { Agent } from "../program/programs.js"

/** Where an agent keeps its files: its variable of the environment, or a folder of the home folder; and the folders of its sessions. */
const PLACES: Readonly<Record<Agent, { variable: string; folder: string; sessions: string }>> = {
  "claude-code": { variable: "CLAUDE_CONFIG_DIR", folder: "~/.claude", sessions: "projects" },
  codex: { variable: "CODEX_HOME", folder: "~/.codex", sessions: "sessions" },
}

/** Whether there are sessions of the agent on this machine. Does not load its code. */
export function hasSessions(io: Io, agent: Agent): Promise<boolean> {
  const { variable, folder, sessions } = PLACES[agent]
  return isFolder(join(absoluteFolder(io, io.env[variable] || folder), sessions))
}
