import type { Diagnostic } from "../entry/diagnostic.js"
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

  /**
   * Answers that are not on the way to the leaf, and were written while that was: two processes had the session, and its agent shows one of them. What
   * was left before the way to the leaf went on from the same entry is none of them: somebody went back. For sessions of agents: in others, people go back
   * and forth between branches.
   * @param roles of the messages, by the ordinals of their entries; undefined of an entry that is no message
   */
  concurrentBranches(leafId: string | null, roles: readonly (string | undefined)[]): Diagnostic[] {
    const leaf = leafId === null ? undefined : this.ordinalOf(leafId)
    if (leaf === undefined) return []
    const path = this.pathTo(leaf)
    const places = new Map(path.map((ordinal, at) => [ordinal, at]))
    const tops = new Map<number, number>()
    const sides = new Map<number, { readonly first: number; last: number; answers: number }>()
    for (const [ordinal, role] of roles.entries()) {
      if (role === undefined || places.has(ordinal)) continue
      const top = this.#topOf(ordinal, places, tops)
      const side = sides.get(top) ?? { first: ordinal, last: ordinal, answers: 0 }
      side.last = ordinal
      if (role === "assistant") side.answers += 1
      sides.set(top, side)
    }
    const messages = path.filter((ordinal) => roles[ordinal] !== undefined)
    const last = messages.at(-1) ?? ROOT
    return [...sides].flatMap(([top, side]): Diagnostic[] => {
      const from = places.get(this.parentOf(top) ?? ROOT) ?? -1
      const first = messages.find((ordinal) => (places.get(ordinal) ?? -1) > from)
      if (first === undefined || side.answers === 0 || side.first > last || side.last < first) return []
      const entryId = this.headAt(side.last).id
      const answers = `${side.answers} ${side.answers === 1 ? "answer" : "answers"}`
      const message = `Another process wrote ${answers}, up to entry ${entryId}, while the branch went on that the agent shows: it shows them no more.`
      return [{ kind: "concurrent-branch", entryId, message }]
    })
  }

  /** The first entry on the way from a path to an entry. @param tops those that are known */
  #topOf(ordinal: number, path: ReadonlyMap<number, number>, tops: Map<number, number>): number {
    const walked: number[] = []
    let at = ordinal
    let top = tops.get(at)
    while (top === undefined) {
      walked.push(at)
      const parent = this.parentOf(at)
      if (parent === undefined || path.has(parent)) top = at
      else {
        top = tops.get(parent)
        at = parent
      }
    }
    for (const one of walked) tops.set(one, top)
    return top
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
