import type { AgentPlace } from "../kit.js"
import { otherUserFolders, userFolders } from "../vscode/places.js"

export const cursor = {
  name: "cursor",
  folders: userFolders("Cursor"),
  sessions: "globalStorage/state.vscdb",
  others: [
    { name: "nightly", folders: userFolders("Cursor Nightly") },
    ...otherUserFolders("Cursor", { server: ".cursor-server" }).filter(({ name }) => name === "server"),
  ],
} as const satisfies AgentPlace
