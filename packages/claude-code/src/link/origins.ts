import type { Node } from "./node.js"
import type { Scope } from "./scope.js"

/** A node; null where a chain of parents ends at a root; the uuid where it is not in the file. */
export type Origin = Node | string | null

/** Where the links of records lead: a record that is no node is passed over. */
export class Origins {
  readonly #scope: Scope
  /** By position of a record that is no node. */
  readonly #known = new Map<number, Origin>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** What a node hangs on by its own line; for a compaction, by its logical parent. */
  above(node: Node): Origin {
    const { boundary, parent } = node.record
    return this.of(boundary ? boundary.logicalParent : parent)
  }

  of(uuid: string | undefined): Origin {
    const { records, nodeOf } = this.#scope
    const passed: number[] = []
    let found: Origin | undefined
    for (let id = uuid; found === undefined; ) {
      const at = this.#scope.positionOf(id)
      if (at === undefined) found = id ?? null
      else if (nodeOf[at]) found = nodeOf[at]
      else if (this.#known.has(at)) found = this.#known.get(at) ?? null
      else {
        // Lines that are no nodes and form a cycle end here, as at a root.
        this.#known.set(at, null)
        passed.push(at)
        id = records[at]?.parent
      }
    }
    for (const at of passed) this.#known.set(at, found)
    return found
  }
}
