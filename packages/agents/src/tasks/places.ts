import type { AgentPlace } from "../kit.js"
import { userFolders } from "../vscode/places.js"

const ofExtension = (id: string): string[] => userFolders("Code").map((folder) => `${folder}/globalStorage/${id}`)

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
