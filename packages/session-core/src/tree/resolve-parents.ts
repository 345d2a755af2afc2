import type { DiagnosticKind } from "../entry/diagnostic.js"
import type { EntryHead } from "../entry/entry.js"

/** A fault in the parent link of an entry. */
export interface TreeFault {
  readonly kind: Extract<DiagnosticKind, "duplicate-id" | "missing-parent" | "self-parent" | "cycle">
  /** The entry, numbered from 0 in file order. */
  readonly ordinal: number
  readonly entryId: string
  readonly message: string
}

/** The parent of each entry by ordinal, -1 for a root, without cycles; and the faults that were repaired. */
export interface ResolvedParents {
  readonly parents: number[]
  readonly faults: TreeFault[]
}

/**
 * Resolves the parent links of any list of entries, however broken (FORMAT.md, section 5): a missing parent and a
 * self-parent make a root; the first entry in file order of a cycle is taken as a root. Linear, and without recursion.
 */
export function resolveParents(heads: readonly EntryHead[], byId: ReadonlyMap<string, number>): ResolvedParents {
  const faults: TreeFault[] = []
  // Pushed one by one, so that the array has spare capacity: otherwise the next added entry would copy all of it.
  const parents: number[] = []
  heads.forEach((head, ordinal) => {
    parents.push(parentOf(ordinal, head))
  })
  // A cycle has an entry whose parent stands behind it.
  const mayHaveCycles = parents.some((parent, ordinal) => parent > ordinal)
  for (const first of mayHaveCycles ? cutCycles(parents) : []) {
    const head = heads[first]
    if (head)
      faults.push(fault("cycle", first, head, "is in a circle of parents; the circle is read as beginning with it"))
  }
  return { parents, faults }

  function parentOf(ordinal: number, head: EntryHead): number {
    if (byId.get(head.id) !== ordinal)
      faults.push(fault("duplicate-id", ordinal, head, "has an id that a later entry has too"))
    if (head.parentId === null) return -1
    const parent = byId.get(head.parentId)
    if (parent === undefined) {
      faults.push(fault("missing-parent", ordinal, head, `has a parent, ${head.parentId}, that is not in the file`))
      return -1
    }
    if (parent === ordinal) {
      faults.push(fault("self-parent", ordinal, head, "is its own parent"))
      return -1
    }
    return parent
  }
}

/** Makes the first entry of each cycle a root, and returns those entries. */
function cutCycles(parents: number[]): number[] {
  const cut: number[] = []
  // The walk that has visited each entry: 0 for none. A walk that reaches an entry of its own has found a cycle.
  const visitedBy = new Uint32Array(parents.length)
  for (let start = 0; start < parents.length; start++) {
    let at = start
    while (at !== -1 && visitedBy[at] === 0) {
      visitedBy[at] = start + 1
      at = parents[at] ?? -1
    }
    if (at === -1 || visitedBy[at] !== start + 1) continue
    let first = at
    for (let next = parents[at] ?? -1; next !== at && next !== -1; next = parents[next] ?? -1)
      first = Math.min(first, next)
    parents[first] = -1
    cut.push(first)
  }
  return cut
}

function fault(kind: TreeFault["kind"], ordinal: number, head: EntryHead, what: string): TreeFault {
  return { kind, ordinal, entryId: head.id, message: `Entry ${head.id} ${what}.` }
}
