import type { EntryHead } from "../entry/entry.js"
import { millisOf } from "../entry/values.js"
import { type ResolvedParents, resolveParents, type TreeFault } from "./resolve-parents.js"

const ROOT = -1

/**
 * The tree of a session's entries, built from their heads (FORMAT.md, section 5). Entries are numbered from 0 in file order
 * ("ordinals"), so that entries with the same id are distinct; a lookup by id finds the last one. Adding takes constant time; no
 * walk is recursive, and a cycle cannot make one endless.
 */
export class EntryTree {
  readonly #heads: EntryHead[] = []
  readonly #byId = new Map<string, number>()
  /** Both are computed when first needed; `add` updates them where that is simple, and discards them otherwise. */
  #resolved: ResolvedParents | undefined
  /** In file order. */
  #children: Map<number, number[]> | undefined
  /** Parent ids that were not found: an added entry with such an id changes the parents of others. */
  readonly #awaited = new Set<string>()

  constructor(heads: Iterable<EntryHead> = []) {
    for (const head of heads) this.add(head)
  }

  get size(): number {
    return this.#heads.length
  }

  add(head: EntryHead): void {
    const ordinal = this.#heads.length
    const parent = head.parentId === null ? ROOT : this.#byId.get(head.parentId)
    const simple = parent !== undefined && !this.#byId.has(head.id) && !this.#awaited.has(head.id)
    if (parent === undefined && head.parentId !== null) this.#awaited.add(head.parentId)
    this.#heads.push(head)
    this.#byId.set(head.id, ordinal)
    if (!simple) {
      this.#resolved = undefined
      this.#children = undefined
      return
    }
    this.#resolved?.parents.push(parent)
    if (this.#children) addTo(this.#children, parent, ordinal)
  }

  /** @throws RangeError when there is no such entry */
  headAt(ordinal: number): EntryHead {
    const head = this.#heads[ordinal]
    if (!head) throw new RangeError(`A tree of ${this.size} entries has none at ${ordinal}.`)
    return head
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** The ordinal of the last entry with the id. */
  ordinalOf(id: string): number | undefined {
    return this.#byId.get(id)
  }

  /** The entry's parent, or undefined for a root. Cycles are cut. */
  parentOf(ordinal: number): number | undefined {
    const parent = this.#links().parents[ordinal]
    return parent === undefined || parent === ROOT ? undefined : parent
  }

  /** The path from the root to the entry, both included. */
  pathTo(ordinal: number): number[] {
    const { parents } = this.#links()
    const path: number[] = []
    for (let at = ordinal; at !== ROOT; at = parents[at] ?? ROOT) path.push(at)
    return path.reverse()
  }

  /** Children by timestamp, then in file order. */
  childrenOf(ordinal: number): readonly number[] {
    const children = this.#childLists().get(ordinal) ?? []
    return sortedByTime(children, (child) => this.#heads[child]?.timestamp)
  }

  /** Entries without a parent, in file order. */
  roots(): readonly number[] {
    return this.#childLists().get(ROOT) ?? []
  }

  /** The faults in the parent links of the entries. */
  faults(): readonly TreeFault[] {
    return this.#links().faults
  }

  #links(): ResolvedParents {
    this.#resolved ??= resolveParents(this.#heads, this.#byId)
    return this.#resolved
  }

  #childLists(): ReadonlyMap<number, number[]> {
    if (this.#children) return this.#children
    const lists = new Map<number, number[]>()
    this.#links().parents.forEach((parent, ordinal) => {
      addTo(lists, parent, ordinal)
    })
    this.#children = lists
    return lists
  }
}

function addTo(lists: Map<number, number[]>, parent: number, ordinal: number): void {
  const list = lists.get(parent)
  if (list) list.push(ordinal)
  else lists.set(parent, [ordinal])
}

/** The items by timestamp; those with the same one keep their order. */
export function sortedByTime<Item>(items: readonly Item[], timestampOf: (item: Item) => unknown): Item[] {
  if (items.length < 2) return [...items]
  const times = new Map(items.map((item) => [item, millisOf(timestampOf(item))]))
  return [...items].sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0))
}
