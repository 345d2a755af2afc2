import type { Session, SessionEntry, SessionTreeNode } from "@treelog/session-core"
import { shortEntryIds } from "../../render/short-ids.js"

/** What is known of a session's tree at one moment. */
export interface TreeData {
  readonly roots: readonly SessionTreeNode[]
  /** From the root to the leaf. */
  readonly branch: readonly SessionEntry[]
  readonly active: ReadonlySet<SessionEntry>
  /** The entry above each that has one, by their ids. */
  readonly parents: ReadonlyMap<string, string>
  /** What is shown of an id. */
  readonly shortId: (id: string) => string
}

export function treeData(session: Session): TreeData {
  const branch = session.getBranch()
  const roots = session.getTree()
  return { roots, branch, active: new Set(branch), parents: parentsIn(roots), shortId: shortEntryIds(session) }
}

/** Not recursive. */
function parentsIn(roots: readonly SessionTreeNode[]): Map<string, string> {
  const parents = new Map<string, string>()
  const open = [...roots]
  for (let node = open.pop(); node; node = open.pop()) {
    for (const child of node.children) {
      parents.set(child.entry.id, node.entry.id)
      open.push(child)
    }
  }
  return parents
}
