import { type Node, OF_CLIENT } from "../link/node.js"

/** Reminders beside the path of the conversation: the model got them, and who reads that path does not. */
export class UnreadReminders {
  /** By node: the first that hangs on it. */
  readonly #first = new Map<Node, Node>()
  /** Nodes whose path lacks one. */
  readonly #lacking = new Set<Node>()

  /** @param lacking a node whose path is known to lack one */
  constructor(nodes: readonly Node[], lacking?: Node) {
    if (lacking) this.#lacking.add(lacking)
    /** Nodes on which the conversation goes on. */
    const above = new Set<Node>()
    for (const node of [...nodes].reverse())
      if (node.parent && (!OF_CLIENT.has(node.role) || above.has(node))) above.add(node.parent)
    for (const node of nodes) {
      const { role, parent } = node
      if (role !== "reminder" || above.has(node) || !parent || !above.has(parent)) continue
      if (!this.#first.has(parent)) this.#first.set(parent, node)
    }
  }

  /** Notes what the path of a node lacks, after that of its parent. */
  follow(node: Node): void {
    const { parent, at } = node
    const beside = parent && this.#first.get(parent)
    if (parent && (this.#lacking.has(parent) || (beside && beside.at < at && beside !== node))) this.#lacking.add(node)
  }

  isLackingAt(node: Node): boolean {
    return this.#lacking.has(node)
  }
}
