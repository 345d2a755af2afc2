import { contentOf } from "../source/source-record.js"
import { Node } from "./node.js"
import type { Scope } from "./scope.js"

/** Chains the results of each reply behind it, in file order, as Claude Code sends them. */
export function linkResults(scope: Scope): void {
  const firsts = callersOf(scope.nodes, new Map())
  const latest = new Map<string, Node>()
  const copies = new ResultCopies()
  for (const node of scope.nodes) {
    callersOf([node], latest)
    if (node.role !== "result") continue
    const { id, caller } = answeredBy(node, latest) ?? answeredBy(node, firsts) ?? {}
    const reply = caller ?? namedReply(node, scope)
    if (!reply) continue
    const earlier = copies.earlier(node, reply, id)
    if (earlier) scope.merge(node, earlier)
    else chain(reply, node)
  }
}

/** Adds the replies that made calls, by the ids of these: the first of those with the same id, or the last, where others were added before. */
function callersOf(nodes: readonly Node[], callers: Map<string, Node>): Map<string, Node> {
  for (const reply of [...nodes].reverse())
    for (const { calls = [] } of reply.role === "reply" ? reply.records : [])
      for (const { id } of calls) callers.set(id, reply)
  return callers
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
function answeredBy({ record }: Node, callers: ReadonlyMap<string, Node>): { id: string; caller: Node } | undefined {
  for (const { call: id } of record.answers ?? []) {
    const caller = id === undefined ? undefined : callers.get(id)
    if (id !== undefined && caller) return { id, caller }
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

function chain(reply: Node, result: Node): void {
  result.parent = reply.results.at(-1) ?? reply
  result.caller = reply
  reply.results.push(result)
}
