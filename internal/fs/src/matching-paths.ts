import { join, sep } from "node:path"
import { entriesIn } from "./folder-entries.js"
import type { FolderEntry, FsPort } from "./fs-port.js"

/** A path, and what the `*`s of its pattern stand for. */
export interface MatchingPath {
  readonly path: string
  readonly stars: readonly string[]
}

/** What a part of a path matches, in which `*` stands for any part of a name. */
export function patternOf(part: string): RegExp {
  const escaped = part.split("*").map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${escaped.join("(.*)")}$`)
}

/**
 * The paths that a pattern names, also of a file that is not there: folders are read only for names with `*`.
 * @param at the folder that the pattern starts in, an absolute path
 * @param pattern `agents/*` + `/agent.sqlite`
 * @param onUnreadable gets a folder that cannot be read. Default: throws
 * @throws StorageError
 */
export async function* matchingPaths(
  fs: FsPort,
  at: string,
  pattern: string,
  onUnreadable = (_: string, error: unknown): void => {
    throw error
  },
): AsyncGenerator<MatchingPath> {
  const entriesAt = (folder: string) =>
    entriesIn(fs, folder).catch((error: unknown) => {
      onUnreadable(folder, error)
      return []
    })
  yield* matching(entriesAt, at, pattern.split("/"), [])
}

async function* matching(
  entriesAt: (folder: string) => Promise<readonly FolderEntry[]>,
  at: string,
  [part, ...rest]: readonly string[],
  stars: readonly string[],
): AsyncGenerator<MatchingPath> {
  if (part === undefined) yield { path: at, stars }
  else if (!part.includes("*")) yield* matching(entriesAt, join(at, part), rest, stars)
  else {
    const pattern = patternOf(part)
    // Once: to join thousands of paths takes longer than to read their folders.
    const prefix = join(at, sep)
    for (const entry of await entriesAt(at)) {
      const match = rest.length > 0 && entry.isFile() ? null : pattern.exec(entry.name)
      if (match) yield* matching(entriesAt, prefix + entry.name, rest, [...stars, ...match.slice(1)])
    }
  }
}
