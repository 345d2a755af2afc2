import type { Node } from "./node.js"
import type { Transcript } from "./scope.js"

/** More than a reply has calls; of those behind it no result is found to be a copy. The last is that of unknown calls. */
const PLACES = 2 ** 21

/** Finds results that repeat an earlier one of the same call. However many a call has, each is compared with one. */
export class ResultCopies {
  readonly #transcript: Transcript
  /** By place of the call: its first result. Most calls have one. */
  readonly #firsts = new Map<number, Node>()
  /** By call, time and content, of calls with several. */
  readonly #seen = new Map<string, Node>()

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  /** The first result with the same time and content, if there is one. @param order of the call in its reply; infinite where it is not known */
  earlier(node: Node, reply: Node, order: number): Node | undefined {
    if (!node.record.hasTime || (order >= PLACES - 1 && Number.isFinite(order))) return undefined
    const place = reply.at * PLACES + Math.min(order, PLACES - 1)
    const first = this.#firsts.get(place)
    if (!first) {
      this.#firsts.set(place, node)
      return undefined
    }
    const keyOf = ({ record }: Node): string => `${place} ${record.time} ${this.#transcript.contentKey(record)}`
    const [firstKey, key] = [keyOf(first), keyOf(node)]
    if (!this.#seen.has(firstKey)) this.#seen.set(firstKey, first)
    const seen = this.#seen.get(key)
    if (!seen) this.#seen.set(key, node)
    return seen && this.#transcript.isSameContent(seen.record, node.record) ? seen : undefined
  }
}
