import type { AgentPlace } from "../kit.js"

/** The folder in which VS Code keeps what belongs to a user. */
const USER_FOLDERS =
  process.platform === "win32"
    ? ["$APPDATA/Code/User"]
    : process.platform === "darwin"
      ? ["~/Library/Application Support/Code/User"]
      : ["$XDG_CONFIG_HOME/Code/User", "~/.config/Code/User"]

const ofExtension = (id: string): string[] => USER_FOLDERS.map((folder) => `${folder}/globalStorage/${id}`)

export const cline = {
  name: "cline",
  folders: ["$CLINE_DATA_DIR", "$CLINE_DIR/data", "~/.cline/data"],
  sessions: "sessions",
  resume: ["cline", "--id", "$ID"],
} as const satisfies AgentPlace

export const clineVsCode = {
  name: "cline-vscode",
  folders: ofExtension("saoudrizwan.claude-dev"),
  sessions: "tasks",
} as const satisfies AgentPlace

export const roo = {
  name: "roo",
  folders: ofExtension("rooveterinaryinc.roo-cline"),
  sessions: "tasks",
} as const satisfies AgentPlace

/** Kilo up to 6, in VS Code. */
export const kiloVsCode = {
  name: "kilo-vscode",
  folders: ofExtension("kilocode.kilo-code"),
  sessions: "tasks",
} as const satisfies AgentPlace
