/** The folders in which an app of Electron keeps what belongs to a user. In WSL, `$APPDATA` is on the side of Windows. */
export function appFolders(app: string): string[] {
  if (process.platform === "win32") return [`$APPDATA/${app}`]
  if (process.platform === "darwin") return [`~/Library/Application Support/${app}`]
  return [`$APPDATA/${app}`, `$XDG_CONFIG_HOME/${app}`, `~/.config/${app}`]
}
