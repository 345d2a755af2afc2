import { firstOf, type Node } from "./node.js"
import type { Scope } from "./scope.js"

/** A node; null where a chain of parents ends at a root; the id where it is not in the file. */
export type Origin = Node | string | null

/** Where the links of records lead: a record that is no node is passed over. */
export class Origins {
  readonly #scope: Scope
  /** By number of a record that is no node. */
  readonly #known = new Map<number, Origin>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** What a node hangs on by its own line; for a compaction, by its logical parent. */
  above(node: Node): Origin {
    const { boundary, parent } = firstOf(node)
    const uuid = boundary ? boundary.logicalParent : parent
    return uuid === undefined ? null : this.of(uuid)
  }

  of(uuid: string): Origin {
    const { transcript, nodeOf } = this.#scope
    const passed: number[] = []
    let found: Origin | undefined
    for (let id: string | undefined = uuid; found === undefined; ) {
      const number: number | undefined = id === undefined ? undefined : this.#scope.numberOf(id)
      if (number === undefined) found = id ?? null
      else if (nodeOf[number]) found = nodeOf[number]
      else if (this.#known.has(number)) found = this.#known.get(number) ?? null
      else {
        // Lines that are no nodes and form a cycle end here, as at a root.
        this.#known.set(number, null)
        passed.push(number)
        id = transcript.records[number]?.parent
      }
    }
    for (const number of passed) this.#known.set(number, found)
    return found
  }
}
