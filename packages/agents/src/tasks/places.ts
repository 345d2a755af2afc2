import type { AgentPlace } from "../kit.js"
import { EVERY_EDITOR, otherUserFolders, userFolders } from "../vscode/places.js"

/** Beside the files of a task is a repository with what it changed. */
const KEPT = ["tasks/*/*.json", "state/taskHistory.json"]

/** An extension of VS Code: its tasks there, and in each other editor, on hosts that another machine works on too. */
function ofExtension(id: string) {
  const inside = (folder: string): string => `${folder}/globalStorage/${id}`
  const others = otherUserFolders("Code", { server: ".vscode-server", snap: "code", flatpak: "com.visualstudio.code" })
  return {
    folders: userFolders("Code").map(inside),
    sessions: "tasks",
    kept: KEPT,
    isKeptByFolder: true,
    others: [
      ...others.map(({ name, folders }) => ({ name, folders: folders.map(inside) })),
      {
        name: "code-server",
        folders: ["$XDG_DATA_HOME/code-server/User", "~/.local/share/code-server/User"].map(inside),
      },
      // Such as `Code - Insiders`, `VSCodium`, `Cursor` and `Windsurf`; on hosts `cursor-server`, `vscode-server-insiders`.
      ...EVERY_EDITOR.map((folders) => ({ folders: folders.map(inside) })),
    ],
  }
}

export const cline = {
  name: "cline",
  folders: ["$CLINE_DATA_DIR", "$CLINE_DIR/data", "~/.cline/data"],
  sessions: "sessions",
  sessionsVariable: "CLINE_SESSION_DATA_DIR",
  // Tasks of Cline 2.
  alsoSessions: ["tasks"],
  kept: ["sessions", ...KEPT],
  isKeptByFolder: true,
  resume: ["cline", "--id", "$ID"],
} as const satisfies AgentPlace

const inCline = ofExtension("saoudrizwan.claude-dev")

export const clineVsCode = {
  name: "cline-vscode",
  ...inCline,
  others: [{ name: "nightly", folders: ofExtension("saoudrizwan.cline-nightly").folders }, ...inCline.others],
} as const satisfies AgentPlace

const inRoo = ofExtension("rooveterinaryinc.roo-cline")

export const roo = {
  name: "roo",
  ...inRoo,
  others: [
    { name: "nightly", folders: ofExtension("rooveterinaryinc.roo-code-nightly").folders },
    { name: "zoo", folders: ofExtension("zoocodeorganization.zoo-code").folders },
    // The command.
    { name: "cli", folders: ["~/.vscode-mock/global-storage"] },
    ...inRoo.others,
  ],
  folderSettings: {
    names: ["roo-cline", "roo-code-nightly", "zoo-code"].map((name) => `${name}.customStoragePath`),
  },
} as const satisfies AgentPlace

const inKilo = ofExtension("kilocode.kilo-code")

/** Kilo up to 6, in VS Code. */
export const kiloVsCode = {
  name: "kilo-vscode",
  ...inKilo,
  others: [
    { name: "cli", folders: ["~/.kilocode/cli/global"] },
    { name: "jetbrains", folders: ["~/.kilocode/globalStorage/kilo code.kilo-code"] },
    { name: "jetbrains-5", folders: ["~/.kilocode/globalStorage"] },
    ...inKilo.others,
  ],
  folderSettings: { names: ["kilo-code.customStoragePath"] },
} as const satisfies AgentPlace
