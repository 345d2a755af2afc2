import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claudeFile } from "@treelog-internal/test-kit"
import { codexFile, codexTurns } from "@treelog-internal/test-kit/codex"
import type { Sandbox } from "./sandbox.js"

/** An agent whose sessions are only read, and what it writes. */
export interface AgentSample {
  /** As `--store` takes it. */
  readonly agent: string
  /** The variable that names its folder, and the folder in the home folder. */
  readonly variable: string
  readonly folder: string
  /** The id of the sample. */
  readonly id: string
  /** Of another one. */
  readonly otherId: string
  /** Where a session is in the agent's folder. */
  readonly pathOf: (id: string, cwd: string) => string
  /** What its file has. */
  readonly fileOf: (id: string, cwd: string, ...said: string[]) => string
  /** What the agent appends when more is said. */
  readonly turnOf: (id: string, cwd: string, said: string) => string
}

export const AGENT_SAMPLES: readonly AgentSample[] = [
  {
    agent: "claude-code",
    variable: "CLAUDE_CONFIG_DIR",
    folder: ".claude",
    id: "6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f",
    otherId: "0b8e4f4c-1c9e-4f7b-9d3c-2a5b6c7d8e9f",
    pathOf: (id, cwd) => join("projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"), `${id}.jsonl`),
    fileOf: claudeFile,
    turnOf: claudeFile,
  },
  {
    agent: "codex",
    variable: "CODEX_HOME",
    folder: ".codex",
    id: "01a203bc-2fbc-7a02-81fd-38d282610988",
    otherId: "01a203bc-3247-7a50-bba6-50faffe1fa0a",
    pathOf: (id) => join("sessions/2026/11/22", `rollout-2026-11-22T14-49-54-${id}.jsonl`),
    fileOf: (id, cwd, ...said) => codexFile(id, cwd, said),
    turnOf: (_, __, said) => codexTurns(said),
  },
]

/** Writes a session of the agent that belongs to the project. Returns its path. */
export function agentSession(box: Sandbox, sample: AgentSample, id: string, ...said: string[]): string {
  const content = sample.fileOf(id, box.project, ...said)
  return box.write(join(sample.folder, sample.pathOf(id, box.project)), content)
}

/** Says more in the session at the path. */
export function sayMore(box: Sandbox, sample: AgentSample, path: string, said: string): void {
  appendFileSync(path, sample.turnOf(sample.id, box.project, said))
}

/** Writes the session at the path anew. */
export function sayOther(box: Sandbox, sample: AgentSample, path: string, ...said: string[]): void {
  writeFileSync(path, sample.fileOf(sample.id, box.project, ...said))
}
