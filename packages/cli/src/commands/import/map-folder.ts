import { isWholePath, joinPath, pathBelow } from "@treelog/session-core/adapter"
import { UsageError } from "../../errors/usage-error.js"

/** A folder of another machine, and what it is called here. Both are absolute paths. */
interface FolderMapping {
  readonly from: string
  readonly to: string
}

/** @param text `/home/ada=/Users/ada` @throws UsageError */
export function folderMapping(text: string): FolderMapping {
  const at = text.indexOf("=")
  const [from, to] = [text.slice(0, at), withoutEnd(text.slice(at + 1))]
  if (at !== -1 && isWholePath(from) && isWholePath(to)) return { from, to }
  throw new UsageError(`--map takes two absolute paths, as in --map /home/ada=/Users/ada; it got ${text}.`)
}

/** The folder here: of the longest mapping for it, or one above it; the same where there is none. */
export function mappedFolder(cwd: string, mappings: readonly FolderMapping[]): string {
  const found = mappings.flatMap(({ from, to }) => {
    const below = pathBelow(from, cwd)
    return below === undefined ? [] : [{ to, below }]
  })
  const [nearest] = found.sort((a, b) => a.below.length - b.below.length)
  return nearest ? joinPath(nearest.to, nearest.below) : cwd
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=[^:/\\])[/\\]+$/, "")
}
