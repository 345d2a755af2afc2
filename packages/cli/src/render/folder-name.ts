import { cleanLine } from "@treelog-internal/text"

/** A folder as people write it: `~` for the home folder, `-` for none. */
export function folderName(cwd: string, home: string | undefined): string {
  const isInHome = home !== undefined && home.length > 1 && (cwd === home || cwd.startsWith(`${home}/`))
  return cleanLine(isInHome ? `~${cwd.slice(home.length)}` : cwd) || "-"
}
