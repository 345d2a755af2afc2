import type { Node } from "./node.js"
import type { Scope } from "./scope.js"

/** Finds results that repeat an earlier one of the same call. However many a call has, each is compared with one. */
export class ResultCopies {
  readonly #scope: Scope
  /** By call: its first result. Most calls have one. */
  readonly #firsts = new Map<number, number>()
  /** By call, time and content, of calls with several. */
  readonly #seen = new Map<string, Node>()

  constructor(scope: Scope) {
    this.#scope = scope
  }

  /** The first result with the same time and content, if there is one. @param call its number; those of a reply that are not known are one */
  earlier(node: Node, reply: Node, call: number | undefined): Node | undefined {
    if (!node.record.hasTime) return undefined
    const place = call === undefined ? -1 - reply.at : call + 1
    const at = this.#firsts.get(place)
    const first = at === undefined ? undefined : this.#scope.nodeOf[at]
    if (!first) {
      this.#firsts.set(place, node.at)
      return undefined
    }
    const { transcript } = this.#scope
    const keyOf = ({ record }: Node): string => `${place} ${record.time} ${transcript.contentKey(record)}`
    const [firstKey, key] = [keyOf(first), keyOf(node)]
    if (!this.#seen.has(firstKey)) this.#seen.set(firstKey, first)
    const seen = this.#seen.get(key)
    if (!seen) this.#seen.set(key, node)
    return seen && transcript.isSameContent(seen.record, node.record) ? seen : undefined
  }
}
