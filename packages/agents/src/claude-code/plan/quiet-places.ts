import { findLeaf, lastPin } from "../link/find-leaf.js"
import { heldFrom } from "../link/hold-back.js"
import type { Links } from "../link/link-nodes.js"
import { Node, tailOf } from "../link/node.js"
import type { Scope } from "../link/scope.js"
import { isTyped } from "../source/prompt-text.js"
import type { SourceRecord } from "../source/source-record.js"
import { answeredRecords, replyAbove } from "./sent-replies.js"
import { responseOf } from "./stands-apart.js"

/** The position of a record before which nothing is open, and the node that is the last there. */
export interface QuietPlace {
  readonly at: number
  readonly node: Node
  readonly uuids: readonly string[]
  readonly isPinned: boolean
}

/**
 * The positions of records before which all calls are answered and no prompt stands without a reply, the last first. The first record is none.
 * @param records of the transcript
 */
export function quietPositions(records: readonly SourceRecord[]): number[] {
  const found: number[] = []
  const open = new Set<string>()
  let isSaid = false
  let reply: string | undefined
  for (const [at, record] of records.entries()) {
    const { role, part, text, calls = [], answers = [] } = record
    if (at > 0 && part === 0 && open.size === 0 && !isSaid) found.push(at)
    // A call that has no result before the next prompt or reply gets none, as a rule.
    if (role === "prompt" || (role === "reply" && responseOf(record) !== reply)) open.clear()
    if (role === "reply") reply = responseOf(record)
    for (const { id } of calls) open.add(id)
    for (const { call = "" } of answers) open.delete(call)
    // What stands again before the next reply is one prompt.
    isSaid = (isSaid || text !== undefined) && role !== "reply"
  }
  return found.reverse()
}

/** Undefined where what follows may change what stands before. @param earlier what is known of the records before these */
export function quietPlace(
  scope: Scope,
  links: Links,
  at: number,
  earlier: { readonly hasStopped: boolean } | undefined,
): QuietPlace | undefined {
  const { records } = scope
  const nodes = scope.nodes.filter((one) => one.at < at)
  const node = nodes.at(-1)
  if (!node || node === scope.start?.node) return undefined
  if ((node.role !== "reply" && node.role !== "result") || node.mergedInto || tailOf(node) !== node) return undefined
  const before = records.slice(0, at)
  const isEnd =
    !nodes.some((one) => one.parent === node || one.last >= at) &&
    ![...links.kept.values()].some(({ last }) => tailOf(last) === node) &&
    heldFrom(before, () => true, earlier) === at &&
    findLeaf(scope, at) === node
  const isBegun =
    earlier !== undefined || nodes.some(({ role, record }) => role === "prompt" && isTyped(record.promptKind))
  // What follows takes calls out of the reply above that have no result.
  const reply = replyAbove(node)
  if (!isEnd || !isBegun || (reply && answeredRecords(reply).length < reply.records.length)) return undefined
  const uuids = before.slice(Math.max(0, node.at)).flatMap(({ uuid }) => {
    const origin = uuid === undefined ? undefined : scope.originOf(uuid)
    return origin instanceof Node && tailOf(origin) === node ? [uuid as string] : []
  })
  return { at, node, uuids, isPinned: lastPin(scope, at)?.node instanceof Node }
}
