import type { Node } from "./node.js"
import type { Origins } from "./origins.js"
import { ResultCopies } from "./result-copies.js"
import type { Scope } from "./scope.js"

interface Call {
  readonly reply: Node
  /** Position among the calls of the reply. */
  readonly order: number
}

/** Chains the results of each reply behind it, in the order of its calls; those of unknown calls follow in file order. */
export function linkResults(scope: Scope, origins: Origins): void {
  const calls = callsOf(scope)
  const copies = new ResultCopies(scope.transcript)
  const ofReply = new Map<Node, { node: Node; order: number }[]>()
  for (const node of scope.nodes) {
    if (node.role !== "result") continue
    const { reply, order } = callOf(node, calls, origins)
    if (!reply) continue
    const list = ofReply.get(reply) ?? []
    ofReply.set(reply, list)
    const earlier = copies.earlier(node, reply, order)
    if (earlier) scope.merge(node, earlier)
    else list.push({ node, order })
  }
  for (const [reply, list] of ofReply) chain(reply, list)
}

function callsOf(scope: Scope): Map<number, Call> {
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

/** The call that a line of results answers: the first that is known, else its reply by what the line names. */
function callOf(
  node: Node,
  calls: ReadonlyMap<number, Call>,
  origins: Origins,
): { reply?: Node | undefined; order: number } {
  const { record } = node
  for (let block = 0; block < record.callCount; block++) {
    const id = record.callAt(block)
    const known = id === 0 ? undefined : calls.get(id)
    if (known) return known
  }
  const order = Number.POSITIVE_INFINITY
  for (const uuid of [record.callerNumber, record.parentNumber]) {
    const origin = uuid === 0 ? null : origins.of(uuid)
    if (origin === null || typeof origin === "number") continue
    const reply = origin.role === "result" ? origin.caller : origin
    if (reply?.role === "reply") return { reply, order }
  }
  return { order }
}

function chain(reply: Node, list: { node: Node; order: number }[]): void {
  // Sorting keeps the file order of those that have the same place.
  list.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order))
  reply.results = list.map(({ node }) => node)
  let above = reply
  for (const { node } of list) {
    node.parent = above
    node.caller = reply
    above = node
  }
}
