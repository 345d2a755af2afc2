import type { AgentPlace } from "../kit.js"
import { otherUserFolders, userFolders } from "../vscode/places.js"

/** Editors that take extensions of VS Code, on a host that another machine works on, and in a browser. */
const SERVERS = {
  "server-insiders": "~/.vscode-server-insiders/data/User",
  "vscodium-server": "~/.vscodium-server/data/User",
  "cursor-server": "~/.cursor-server/data/User",
  "windsurf-server": "~/.windsurf-server/data/User",
  "code-server": "~/.local/share/code-server/User",
}

/** An extension of VS Code: its tasks there, and in each other editor. */
function ofExtension(id: string) {
  const inside = (folder: string): string => `${folder}/globalStorage/${id}`
  const servers = Object.entries(SERVERS).map(([name, folder]) => ({ name, folders: [inside(folder)] }))
  const others = otherUserFolders("Code", { server: ".vscode-server", snap: "code", flatpak: "com.visualstudio.code" })
  return {
    folders: userFolders("Code").map(inside),
    sessions: "tasks",
    others: [
      ...others.map(({ name, folders }) => ({ name, folders: folders.map(inside) })),
      ...servers,
      // Such as `Code - Insiders`, `VSCodium`, `Cursor` and `Windsurf`.
      { folders: userFolders("*").map(inside) },
    ],
  }
}

export const cline = {
  name: "cline",
  folders: ["$CLINE_DATA_DIR", "$CLINE_DIR/data", "~/.cline/data"],
  sessions: "sessions",
  // Tasks of Cline 2.
  alsoSessions: ["tasks"],
  resume: ["cline", "--id", "$ID"],
} as const satisfies AgentPlace

export const clineVsCode = {
  name: "cline-vscode",
  ...ofExtension("saoudrizwan.claude-dev"),
} as const satisfies AgentPlace

export const roo = { name: "roo", ...ofExtension("rooveterinaryinc.roo-cline") } as const satisfies AgentPlace

/** Kilo up to 6, in VS Code. */
export const kiloVsCode = { name: "kilo-vscode", ...ofExtension("kilocode.kilo-code") } as const satisfies AgentPlace
