import { type Call, callsOf } from "./calls.js"
import type { Node } from "./node.js"
import type { Origins } from "./origins.js"
import { ResultCopies } from "./result-copies.js"
import type { Scope } from "./scope.js"

/** Behind the calls of a reply. */
const UNKNOWN = 2 ** 31 - 1

/** Chains the results of each reply behind it, in the order of its calls; those of unknown calls follow in file order. */
export function linkResults(scope: Scope, origins: Origins): void {
  const calls = callsOf(scope)
  const copies = new ResultCopies(scope)
  /** By position of a result: that of its call in the reply. */
  const orders = new Int32Array(scope.nodeOf.length)
  for (const node of scope.nodes) {
    if (node.role !== "result") continue
    const { id, call } = answeredBy(node, calls) ?? {}
    const reply = call?.reply ?? namedReply(node, origins)
    if (!reply) continue
    const earlier = copies.earlier(node, reply, id)
    if (earlier) scope.merge(node, earlier)
    else {
      orders[node.at] = call?.order ?? UNKNOWN
      addResult(reply, node)
    }
  }
  for (const node of scope.nodes) if (node.results.length > 0) chain(node, orders)
}

function addResult(reply: Node, node: Node): void {
  if (reply.results.length === 0) reply.results = [node]
  else reply.results.push(node)
}

/** The first call that a line of results answers, of those that are known. */
function answeredBy({ record }: Node, calls: ReadonlyMap<number, Call>): { id: number; call: Call } | undefined {
  for (let block = 0; block < record.callCount; block++) {
    const id = record.callAt(block)
    const call = id === 0 ? undefined : calls.get(id)
    if (call) return { id, call }
  }
  return undefined
}

/** The reply of a line of results by what the line names. */
function namedReply({ record }: Node, origins: Origins): Node | undefined {
  for (const uuid of [record.callerNumber, record.parentNumber]) {
    const origin = uuid === 0 ? null : origins.of(uuid)
    if (origin === null || typeof origin === "number") continue
    const reply = origin.role === "result" ? origin.caller : origin
    if (reply?.role === "reply") return reply
  }
  return undefined
}

function chain(reply: Node, orders: Int32Array): void {
  const orderOf = ({ at }: Node): number => orders[at] ?? 0
  // A copy has no spare elements. Sorting keeps the file order of those that have the same place.
  if (reply.results.length > 1) reply.results = [...reply.results].sort((a, b) => orderOf(a) - orderOf(b))
  let above = reply
  for (const node of reply.results) {
    node.parent = above
    node.caller = reply
    above = node
  }
}
