import type { Node } from "./node.js"
import type { Scope } from "./scope.js"

/** A node; null where a chain of parents ends at a root; the number of the id where it is not in the file. */
export type Origin = Node | number | null

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
    const { record } = node
    const { boundary } = record.rare
    const uuid = boundary ? this.#scope.transcript.ids.numberOf(boundary.logicalParent) : record.parentNumber
    return uuid === 0 ? null : this.of(uuid)
  }

  /** @param uuid its number */
  of(uuid: number): Origin {
    const { transcript, nodeOf } = this.#scope
    const passed: number[] = []
    let found: Origin | undefined
    for (let id = uuid; found === undefined; ) {
      const at: number | undefined = id === 0 ? undefined : this.#scope.positionOf(id)
      if (at === undefined) found = id === 0 ? null : id
      else if (nodeOf[at]) found = nodeOf[at]
      else if (this.#known.has(at)) found = this.#known.get(at) ?? null
      else {
        // Lines that are no nodes and form a cycle end here, as at a root.
        this.#known.set(at, null)
        passed.push(at)
        id = transcript.records[at]?.parentNumber ?? 0
      }
    }
    for (const at of passed) this.#known.set(at, found)
    return found
  }
}
