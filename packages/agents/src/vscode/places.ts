import type { AgentPlace } from "../kit.js"

/** The folders in which VS Code, or a program made of it, keeps what belongs to a user. */
export function userFolders(program: string): string[] {
  if (process.platform === "win32") return [`$APPDATA/${program}/User`]
  if (process.platform === "darwin") return [`~/Library/Application Support/${program}/User`]
  return [`$XDG_CONFIG_HOME/${program}/User`, `~/.config/${program}/User`]
}

const place = <const Name extends string>(name: Name, program: string) =>
  ({ name, folders: userFolders(program), sessions: "." }) satisfies AgentPlace

export const vscode = place("vscode", "Code")
export const vscodeInsiders = place("vscode-insiders", "Code - Insiders")
export const vscodium = place("vscodium", "VSCodium")
