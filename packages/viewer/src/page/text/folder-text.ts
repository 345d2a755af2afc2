import { readableLine } from "./readable-text.js"

/** Of a folder so much is shown. UTF-16 units. */
const MOST = 200

/** A folder to display, with `~` for the home folder. */
export function folderText(cwd: string, home: string | undefined): string {
  const isBelow =
    home !== undefined && home !== "" && (cwd === home || cwd.startsWith(`${home}/`) || cwd.startsWith(`${home}\\`))
  return readableLine(isBelow ? `~${cwd.slice(home.length)}` : cwd, MOST)
}
