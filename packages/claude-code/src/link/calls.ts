import type { Node } from "./node.js"
import type { Scope } from "./scope.js"

/** A call of a reply. */
export interface Call {
  readonly reply: Node
  /** Position among the calls of the reply. */
  readonly order: number
}

/** The calls of all replies by their id; of those with the same id, the first. */
export function callsOf(scope: Scope): Map<string, Call> {
  const calls = new Map<string, Call>()
  for (const reply of scope.nodes) {
    if (reply.role !== "reply") continue
    let order = 0
    for (const { calls: own = [] } of reply.records)
      for (const { id } of own) {
        if (!calls.has(id)) calls.set(id, { reply, order })
        order += 1
      }
  }
  return calls
}
