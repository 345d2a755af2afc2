import { type AgentPlace, PLACES as OTHERS } from "@treelog/agents/places"
import type { Surroundings } from "./surroundings.js"

/** The programs whose stores can be read and written. */
export const PROGRAMS = ["treelog", "pi", "xcsh", "omp"] as const

/** Relatives of pi, whose files have its format. */
export const RELATIVES = ["omo", "prime-agent"] as const

const CLAUDE_CODE: AgentPlace = {
  name: "claude-code",
  folders: ["$CLAUDE_CONFIG_DIR", "~/.claude"],
  sessions: "projects",
  listsFolders: true,
  others: [{ name: "xdg", folders: ["$XDG_CONFIG_HOME/claude", "~/.config/claude"] }, { folders: ["~/.claude-*"] }],
  unread: [
    { path: "__store.db", why: "what versions of spring 2025 wrote in a database, beside sessions or in their place" },
    ...["~/Library/Application Support", "~/.config", "~/AppData/Roaming"].map((folder) => ({
      path: `${folder}/Claude/local-agent-mode-sessions/*/*/*/.claude/projects/*/*.jsonl`,
      why: "sessions of Cowork in the app of Claude: name a folder in CLAUDE_CONFIG_DIR to read one",
    })),
  ],
  resume: ["claude", "--resume", "$ID"],
  fork: ["claude", "--resume", "$ID", "--fork-session"],
  pidFiles: ["../../sessions/*.json"],
}

const CODEX: AgentPlace = {
  name: "codex",
  folders: ["$CODEX_HOME", "~/.codex"],
  sessions: "sessions",
  alsoSessions: ["archived_sessions"],
  kept: ["sessions", "archived_sessions", "session_index.jsonl", "state_*.sqlite"],
  others: [{ folders: ["~/.codex-*"] }],
  unread: [{ path: "sessions/rollout-*.json", why: "sessions of the first Codex, which was no Rust program" }],
  resume: ["codex", "resume", "$ID"],
  fork: ["codex", "fork", "$ID"],
  keepsOpen: true,
  turnRecords: { begin: ["task_started"], end: ["task_complete", "turn_aborted"] },
}

const PLACES: readonly AgentPlace[] = [CLAUDE_CODE, CODEX, ...OTHERS]

type WithPlugIns = Pick<Surroundings, "plugIns">

/** The name of an agent whose sessions can be read where they are: one that treelog knows, or of a plug-in. */
export type Agent = string

function placesOf({ plugIns }: WithPlugIns): readonly AgentPlace[] {
  return plugIns ? [...PLACES, ...plugIns.definitions.map(({ place }) => place)] : PLACES
}

/** The agents whose sessions can be read where they are: those that treelog knows, then those of plug-ins. */
export function agentsOf(surroundings: WithPlugIns): readonly Agent[] {
  return placesOf(surroundings).map(({ name }) => name)
}

/** Where the sessions of an agent are. */
export function placeOf(surroundings: WithPlugIns, agent: Agent): AgentPlace {
  return placesOf(surroundings).find(({ name }) => name === agent) as AgentPlace
}

/** Every name of a store without plug-ins. A profile of omp has the name `omp:PROFILE`. */
export const STORES: readonly string[] = [...PROGRAMS, ...RELATIVES, ...PLACES.map(({ name }) => name)]

/** Whether a name is that of a program or an agent, or of another store of one: `opencode:dev`. */
export function isStoreName(surroundings: WithPlugIns, name: string): boolean {
  const [program = ""] = name.split(":")
  return STORES.includes(program) || agentsOf(surroundings).includes(program)
}
