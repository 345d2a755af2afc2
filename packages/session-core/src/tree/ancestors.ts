import type { EntryTree } from "./entry-tree.js"

/** Answers in constant time whether an entry is on the path from the root to another, after one walk over the tree. */
export class Ancestors {
  /** The step at which the walk entered each entry, and at which it left its last descendant. */
  readonly #entered: number[] = []
  readonly #left: number[] = []

  constructor(tree: EntryTree) {
    let time = 0
    const open: { ordinal: number; done: boolean }[] = []
    const push = (ordinals: readonly number[]): void => {
      for (const ordinal of ordinals) open.push({ ordinal, done: false })
    }
    push(tree.roots())
    for (let next = open.at(-1); next; next = open.at(-1)) {
      if (next.done) {
        this.#left[next.ordinal] = time
        open.pop()
        continue
      }
      next.done = true
      this.#entered[next.ordinal] = time++
      push(tree.childrenOf(next.ordinal))
    }
  }

  /** Whether `ancestor` is `ordinal` itself, or its parent, or the parent of that, and so on. */
  isOnPathTo(ordinal: number, ancestor: number): boolean {
    const at = this.#entered[ordinal] ?? -1
    return at >= (this.#entered[ancestor] ?? Number.POSITIVE_INFINITY) && at < (this.#left[ancestor] ?? -1)
  }
}
