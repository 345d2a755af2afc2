import type { Node } from "./node.js"
import type { Scope } from "./scope.js"

/** A call of a reply. */
export interface Call {
  readonly reply: Node
  /** Position among the calls of the reply. */
  readonly order: number
}

/** The calls of all replies by the number of their id; of those with the same id, the first. */
export function callsOf(scope: Scope): Map<number, Call> {
  const calls = new Map<number, Call>()
  for (const reply of scope.nodes) {
    if (reply.role !== "reply") continue
    let order = 0
    for (const record of scope.recordsOf(reply))
      for (let own = 0; own < record.callCount; own++, order++) {
        const id = record.callAt(own)
        if (!calls.has(id)) calls.set(id, { reply, order })
      }
  }
  return calls
}
