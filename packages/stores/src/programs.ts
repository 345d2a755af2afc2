import { type AgentPlace, PLACES as OTHERS } from "@treelog/agents/places"

/** The programs whose stores can be read and written. */
export const PROGRAMS = ["treelog", "pi", "xcsh", "omp"] as const

/** Relatives of pi, whose files have its format. */
export const RELATIVES = ["omo", "prime-agent"] as const

const CLAUDE_CODE = {
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
} as const satisfies AgentPlace

const CODEX = {
  name: "codex",
  folders: ["$CODEX_HOME", "~/.codex"],
  sessions: "sessions",
  alsoSessions: ["archived_sessions"],
  others: [{ folders: ["~/.codex-*"] }],
  unread: [{ path: "sessions/rollout-*.json", why: "sessions of the first Codex, which was no Rust program" }],
  resume: ["codex", "resume", "$ID"],
} as const satisfies AgentPlace

const PLACES = [CLAUDE_CODE, CODEX, ...OTHERS] as const

export type Agent = (typeof PLACES)[number]["name"]

/** The agents whose sessions can be read where they are. */
export const AGENTS: readonly Agent[] = PLACES.map(({ name }) => name)

/** Where the sessions of an agent are. */
export function placeOf(agent: Agent): AgentPlace {
  return PLACES.find(({ name }) => name === agent) as AgentPlace
}

/** Every name of a store. A profile of omp has the name `omp:PROFILE`. */
export const STORES: readonly string[] = [...PROGRAMS, ...RELATIVES, ...AGENTS]
