import { appFolders } from "../app-folders.js"
import type { AgentPlace } from "../kit.js"

/** The folders in which VS Code, or a program made of it, keeps what belongs to a user. */
export function userFolders(program: string): string[] {
  return appFolders(program).map((folder) => `${folder}/User`)
}

/** The user's folders of an editor on a host that another machine works on, and of its packages with a home of their own. */
export function otherUserFolders(
  program: string,
  { server, snap, flatpak }: Packages,
): { name: string; folders: string[] }[] {
  return [
    { name: "server", folders: [`$VSCODE_AGENT_FOLDER/data/User`, `~/${server}/data/User`] },
    ...(snap === undefined ? [] : [{ name: "snap", folders: [`~/snap/${snap}/current/.config/${program}/User`] }]),
    ...(flatpak === undefined ? [] : [{ name: "flatpak", folders: [`~/.var/app/${flatpak}/config/${program}/User`] }]),
    { name: "portable", folders: ["$VSCODE_PORTABLE/user-data/User"] },
  ]
}

/** The user's folders of all programs that are made of VS Code: on this machine, and on a host, `~/.cursor-server/data/User`. */
export const EVERY_EDITOR: readonly (readonly string[])[] = [
  userFolders("*"),
  ["~/.*/data/User"],
  // In a home of macOS or Windows that was copied to Linux.
  ...(process.platform === "linux" ? [["~/Library/Application Support/*/User"], ["~/AppData/Roaming/*/User"]] : []),
]

/** How the packages of an editor are called. */
interface Packages {
  readonly server: string
  readonly snap?: string
  readonly flatpak?: string
}

/** What Copilot and VS Code write of chats. */
const CHATS = [
  "workspaceStorage/*/chatSessions",
  "workspaceStorage/*/GitHub.copilot-chat/transcripts",
  "globalStorage/emptyWindowChatSessions",
]

const place = <const Name extends string>(
  name: Name,
  program: string,
  packages: Packages,
  others: readonly NonNullable<AgentPlace["others"]>[number][] = [],
) =>
  ({
    name,
    folders: userFolders(program),
    sessions: "workspaceStorage",
    alsoSessions: ["globalStorage/emptyWindowChatSessions"],
    kept: [...CHATS, "workspaceStorage/*/workspace.json"],
    others: [...otherUserFolders(program, packages), ...others],
  }) satisfies AgentPlace

export const vscode = place(
  "vscode",
  "Code",
  { server: ".vscode-server", snap: "code", flatpak: "com.visualstudio.code" },
  [
    { name: "codespace", folders: ["~/.vscode-remote/data/User"] },
    { name: "code-server", folders: ["$XDG_DATA_HOME/code-server/User", "~/.local/share/code-server/User"] },
    { name: "oss", folders: userFolders("Code - OSS") },
    // Others in which Copilot runs.
    ...EVERY_EDITOR.map((folders) => ({ folders, shownBy: CHATS })),
  ],
)
export const vscodeInsiders = place("vscode-insiders", "Code - Insiders", {
  server: ".vscode-server-insiders",
  snap: "code-insiders",
  flatpak: "com.visualstudio.code.insiders",
})
export const vscodium = place("vscodium", "VSCodium", {
  server: ".vscodium-server",
  snap: "codium",
  flatpak: "com.vscodium.codium",
})
