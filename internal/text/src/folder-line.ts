import { cleanLine } from "./clean-text.js"

/** A folder as one line: `~` for the home folder, `-` for none. */
export function folderLine(cwd: string, home: string | undefined): string {
  const isInHome = home !== undefined && home.length > 1 && (cwd === home || cwd.startsWith(`${home}/`))
  return cleanLine(isInHome ? `~${cwd.slice(home.length)}` : cwd) || "-"
}
