import { UsageError } from "../errors/usage-error.js"

/** A folder of another machine, and what it is called here. Both are absolute paths. */
interface FolderMapping {
  readonly from: string
  readonly to: string
}

/** @param text `/home/ada=/Users/ada` @throws UsageError */
export function folderMapping(text: string): FolderMapping {
  const at = text.indexOf("=")
  const [from, to] = [withoutEnd(text.slice(0, at)), withoutEnd(text.slice(at + 1))]
  if (at !== -1 && isAbsolute(from) && isAbsolute(to)) return { from, to }
  throw new UsageError(`--map takes two absolute paths, as in --map /home/ada=/Users/ada; it got ${text}.`)
}

/** The folder here: of the longest mapping for it, or one above it; the same where there is none. */
export function mappedFolder(cwd: string, mappings: readonly FolderMapping[]): string {
  const [longest] = mappings.filter(({ from }) => isIn(cwd, from)).sort((a, b) => b.from.length - a.from.length)
  if (!longest) return cwd
  const rest = cwd.slice(longest.from.length).replace(/^[/\\]/, "")
  return rest === "" ? longest.to : `${longest.to.replace(/[/\\]$/, "")}/${rest}`
}

function isIn(cwd: string, folder: string): boolean {
  if (cwd === folder) return true
  return cwd.startsWith(folder) && (/[/\\]$/.test(folder) || /[/\\]/.test(cwd[folder.length] ?? ""))
}

/** Also of another system. */
function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=[^:/\\])[/\\]+$/, "")
}
