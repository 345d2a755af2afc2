import type { AgentPlace } from "../kit.js"
import { otherUserFolders, userFolders } from "../vscode/places.js"

const ALL = "globalStorage/state.vscdb"

export const cursor = {
  name: "cursor",
  folders: userFolders("Cursor"),
  sessions: ALL,
  // Of versions before 0.43, in the database of each window.
  alsoSessions: ["workspaceStorage"],
  kept: ["workspaceStorage/*/state.vscdb", "workspaceStorage/*/workspace.json"],
  others: [
    { name: "nightly", folders: userFolders("Cursor Nightly") },
    // In a home of macOS or Windows that was copied to Linux.
    { name: "mac", folders: ["~/Library/Application Support/Cursor/User"] },
    { name: "windows", folders: ["~/AppData/Roaming/Cursor/User"] },
    ...otherUserFolders("Cursor", { server: ".cursor-server" })
      .filter(({ name }) => name === "server")
      .map((server) => ({ ...server, sessions: ALL })),
  ],
} as const satisfies AgentPlace
