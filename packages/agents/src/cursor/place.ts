import type { AgentPlace } from "../kit.js"
import { userFolders } from "../vscode/places.js"

export const cursor = {
  name: "cursor",
  folders: userFolders("Cursor"),
  sessions: "globalStorage/state.vscdb",
} as const satisfies AgentPlace
