import { type BranchPath, branchPath } from "./branch-path.js"
import type { PageSession } from "./page-session.js"
import { type TranscriptRows, transcriptRows } from "./transcript-rows.js"

/** Two branches, each from where they diverge. */
export interface BesideBranch {
  /** The last entry that they have in common; undefined where they have no entry in common. */
  readonly ancestor: number | undefined
  /** The end of the second one. */
  readonly leaf: number
  readonly left: TranscriptRows
  readonly right: TranscriptRows
}

/**
 * Compares a branch with another one.
 * @param rows those of the first
 * @returns undefined where one continues the other, so that there is nothing to compare
 */
export function besideBranch(
  session: PageSession,
  path: BranchPath,
  leaf: number,
  rows: TranscriptRows,
): BesideBranch | undefined {
  const other = branchPath(session, leaf)
  let common = 0
  while (common < path.length && path[common] === other[common]) common += 1
  if (common === path.length || common === other.length) return undefined
  let ancestor = common - 1
  while (ancestor >= 0 && session.isLeafMarker(path[ancestor] ?? -1)) ancestor -= 1
  return {
    ancestor: path[ancestor],
    leaf,
    left: rowsOf(rows, path.slice(common)),
    right: rowsOf(transcriptRows(session, other), other.slice(common)),
  }
}

/** The rows of the end of a branch. Results of calls before it are in the rows of those. */
function rowsOf({ rows, rowOf }: TranscriptRows, path: BranchPath): TranscriptRows {
  const first = path.map((ordinal) => rowOf.get(ordinal)).find((row) => row !== undefined) ?? rows.length
  const own = new Map<number, number>()
  for (const ordinal of path) {
    const row = rowOf.get(ordinal)
    if (row !== undefined && row >= first) own.set(ordinal, row - first)
  }
  return { rows: rows.slice(first), rowOf: own }
}
