import { contentOf } from "../source/source-record.js"
import { Node } from "./node.js"
import type { Scope } from "./scope.js"

/** Behind the calls of a reply. */
const UNKNOWN = Number.MAX_SAFE_INTEGER

/** A call of a reply, with its position among those. */
interface Call {
  readonly reply: Node
  readonly order: number
}

/** Chains the results of each reply behind it, in the order of its calls; those of unknown calls follow in file order. */
export function linkResults(scope: Scope): void {
  const calls = callsOf(scope)
  const copies = new ResultCopies()
  /** Of a result: the position of its call in the reply. */
  const orders = new Map<Node, number>()
  for (const node of scope.nodes) {
    if (node.role !== "result") continue
    const { id, call } = answeredBy(node, calls) ?? {}
    const reply = call?.reply ?? namedReply(node, scope)
    if (!reply) continue
    const earlier = copies.earlier(node, reply, id)
    if (earlier) scope.merge(node, earlier)
    else {
      orders.set(node, call?.order ?? UNKNOWN)
      reply.results.push(node)
    }
  }
  for (const node of scope.nodes) if (node.results.length > 0) chain(node, orders)
}

/** The calls of all replies by their id; of those with the same id, the first. */
function callsOf({ nodes }: Scope): Map<string, Call> {
  const calls = new Map<string, Call>()
  for (const reply of nodes) {
    const own = reply.role === "reply" ? reply.records.flatMap((record) => record.calls ?? []) : []
    for (const [order, { id }] of own.entries()) if (!calls.has(id)) calls.set(id, { reply, order })
  }
  return calls
}

/** Finds results that repeat an earlier one of the same call. However many a call has, each is compared with one. */
class ResultCopies {
  /** By call and time. Most have one. */
  readonly #firsts = new Map<string, Node>()
  /** By call, time and content, where there are several. */
  readonly #seen = new Map<string, Node>()

  /** The first result with the same time and content, if there is one. @param call those of a reply that are not known are one */
  earlier(node: Node, reply: Node, call: string | undefined): Node | undefined {
    const { time } = node.record
    if (time === undefined) return undefined
    const place = `${call === undefined ? `of ${reply.at}` : `call ${call}`}\0${time}`
    const first = this.#firsts.get(place)
    if (!first) {
      this.#firsts.set(place, node)
      return undefined
    }
    const keyOf = ({ record }: Node): string => `${place}\0${contentOf(record)}`
    if (!this.#seen.has(keyOf(first))) this.#seen.set(keyOf(first), first)
    const seen = this.#seen.get(keyOf(node))
    if (!seen) this.#seen.set(keyOf(node), node)
    return seen
  }
}

/** The first call that a line of results answers, of those that are known. */
function answeredBy({ record }: Node, calls: ReadonlyMap<string, Call>): { id: string; call: Call } | undefined {
  for (const { call: id } of record.answers ?? []) {
    const call = id === undefined ? undefined : calls.get(id)
    if (id !== undefined && call) return { id, call }
  }
  return undefined
}

/** The reply of a line of results by what the line names. */
function namedReply({ record }: Node, scope: Scope): Node | undefined {
  for (const uuid of [record.caller, record.parent]) {
    const origin = scope.originOf(uuid)
    const reply = origin instanceof Node && origin.role === "result" ? origin.caller : origin
    if (reply instanceof Node && reply.role === "reply") return reply
  }
  return undefined
}

function chain(reply: Node, orders: ReadonlyMap<Node, number>): void {
  const orderOf = (node: Node): number => orders.get(node) ?? UNKNOWN
  // Sorting keeps the file order of those that have the same place.
  reply.results.sort((a, b) => orderOf(a) - orderOf(b))
  let above = reply
  for (const node of reply.results) {
    node.parent = above
    node.caller = reply
    above = node
  }
}
