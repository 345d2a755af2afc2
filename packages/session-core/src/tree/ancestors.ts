import type { EntryTree } from "./entry-tree.js"

/** Answers in constant time whether an entry is on the path from the root to another, after one walk over the tree. */
export class Ancestors {
  /** The place of each entry in an order in which the descendants of an entry follow it. */
  readonly #places: number[] = []
  /** How many entries each one and its descendants are. */
  readonly #counts: number[]

  constructor(tree: EntryTree) {
    const order: number[] = []
    const open = [...tree.roots()]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.#places[next] = order.push(next)
      for (const child of tree.childrenOf(next)) open.push(child)
    }
    this.#counts = order.map(() => 1)
    for (const ordinal of order.reverse()) {
      const parent = tree.parentOf(ordinal)
      if (parent !== undefined) this.#counts[parent] = (this.#counts[parent] ?? 1) + (this.#counts[ordinal] ?? 1)
    }
  }

  /** Whether `ancestor` is `ordinal` itself, or its parent, or the parent of that, and so on. */
  isOnPathTo(ordinal: number, ancestor: number): boolean {
    const distance = (this.#places[ordinal] ?? Number.NaN) - (this.#places[ancestor] ?? Number.NaN)
    return distance >= 0 && distance < (this.#counts[ancestor] ?? 0)
  }
}
