import { join } from "node:path"
import { entriesIn } from "./folder-entries.js"
import type { FsPort } from "./fs-port.js"

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
 * @throws StorageError
 */
export async function* matchingPaths(fs: FsPort, at: string, pattern: string): AsyncGenerator<MatchingPath> {
  yield* matching(fs, at, pattern.split("/"), [])
}

async function* matching(
  fs: FsPort,
  at: string,
  [part, ...rest]: readonly string[],
  stars: readonly string[],
): AsyncGenerator<MatchingPath> {
  if (part === undefined) yield { path: at, stars }
  else if (!part.includes("*")) yield* matching(fs, join(at, part), rest, stars)
  else {
    const pattern = patternOf(part)
    for (const { name } of await entriesIn(fs, at)) {
      const match = pattern.exec(name)
      if (match) yield* matching(fs, join(at, name), rest, [...stars, ...match.slice(1)])
    }
  }
}
