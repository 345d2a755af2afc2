import { NumberList } from "../source/number-list.js"
import type { Node } from "./node.js"
import { Positions } from "./positions.js"
import type { Scope } from "./scope.js"

/** The calls of all replies, numbered from 0, in typed arrays: there are about half as many as records. Of those with the same id, the first. */
export class Calls {
  readonly #scope: Scope
  readonly #numbers: Positions
  /** Positions of the replies. */
  readonly #replies = new NumberList(Int32Array)
  /** Positions among the calls of the reply. */
  readonly #orders = new NumberList(Int32Array)

  constructor(scope: Scope) {
    this.#scope = scope
    this.#numbers = new Positions(scope.transcript.records.reduce((sum, { callCount }) => sum + callCount, 0))
    for (const node of scope.nodes) if (node.role === "reply") this.#addAll(node)
  }

  /** The number of the call with an id. @param id its number, not 0 */
  find(id: number): number | undefined {
    return this.#numbers.get(id)
  }

  replyOf(call: number): Node | undefined {
    return this.#scope.nodeOf[this.#replies.at(call)]
  }

  orderOf(call: number): number {
    return this.#orders.at(call)
  }

  #addAll(reply: Node): void {
    let order = 0
    for (const record of this.#scope.recordsOf(reply))
      for (let own = 0; own < record.callCount; own++, order++) {
        const id = record.callAt(own)
        if (this.#numbers.get(id) !== undefined) continue
        this.#numbers.set(id, this.#replies.length)
        this.#replies.push(reply.at)
        this.#orders.push(order)
      }
  }
}
