import type { SessionEntry } from "@treelog/session-core"
import type { PageSession } from "./page-session.js"

/** The path from the root to the end of a branch. Ordinals, root first. */
export type BranchPath = readonly number[]

export function branchPath(session: PageSession, leaf: number | undefined): BranchPath {
  return leaf === undefined ? [] : session.tree.pathTo(leaf)
}

/** The path as an `EntryPath` of the core, which reads bodies on demand. */
export function lazyPath(
  session: PageSession,
  path: BranchPath,
): { length: number; type(index: number): string; id(index: number): string; entry(index: number): SessionEntry } {
  const at = (index: number): number => path[index] ?? -1
  return {
    length: path.length,
    type: (index) => session.summary(at(index)).type,
    id: (index) => session.summary(at(index)).id,
    entry: (index) => session.entry(at(index)),
  }
}

/** The siblings of an entry, including itself: the branches that start here. */
export interface Fork {
  readonly branches: readonly number[]
  /** Index of this entry among them. */
  readonly at: number
}

/** Undefined if the entry has no siblings. */
export function forkAt(session: PageSession, ordinal: number): Fork | undefined {
  const parent = session.parentOf(ordinal)
  const branches = parent === undefined ? session.roots() : session.childrenOf(parent)
  return branches.length > 1 ? { branches, at: branches.indexOf(ordinal) } : undefined
}
