import type { SessionEntry } from "@treelog/session-core"
import type { PageSession } from "./page-session.js"

/** The way from the root to where a branch ends. Ordinals, the root first. */
export type BranchPath = readonly number[]

export function branchPath(session: PageSession, leaf: number | undefined): BranchPath {
  return leaf === undefined ? [] : session.tree.pathTo(leaf)
}

/** The path as the core wants it: types and ids at hand, bodies when they are asked for. */
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

/** Where several branches begin: the entries that stand where this one stands, itself among them. */
export interface Fork {
  readonly branches: readonly number[]
  /** Which of them this entry is, from 0. */
  readonly at: number
}

/** Undefined where there is no other way to go. */
export function forkAt(session: PageSession, ordinal: number): Fork | undefined {
  const parent = session.parentOf(ordinal)
  const branches = parent === undefined ? session.roots() : session.childrenOf(parent)
  return branches.length > 1 ? { branches, at: branches.indexOf(ordinal) } : undefined
}
