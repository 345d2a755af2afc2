import { type Node, tailOf } from "./node.js"
import type { Origins } from "./origins.js"
import type { Scope } from "./scope.js"

/**
 * The node where the conversation goes on: the one that the last `last-prompt` pins, unless a compaction follows, or what was written
 * below it since then; otherwise the last of those without children in the file, lines of the client last of all.
 */
export function findLeaf(scope: Scope, origins: Origins): Node | undefined {
  const pin = lastPin(scope)
  const origin = pin && origins.of(pin.uuid)
  if (pin && origin && typeof origin !== "string") return continued(scope, tailOf(origin), pin.at)
  return lastLeaf(scope)
}

function lastPin(scope: Scope): { at: number; uuid: string } | undefined {
  const { records } = scope.transcript
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at]
    if (scope.nodeOf[at]?.role === "boundary") return undefined
    if (record?.role !== "last-prompt" || record.leaf === undefined) continue
    if (record.leaf === null) return undefined
    if (scope.numberOf(record.leaf) !== undefined) return { at, uuid: record.leaf }
  }
  return undefined
}

/** The newest of the nodes that hang on the leaf and were written behind the pin. */
function continued(scope: Scope, pinned: Node, at: number): Node {
  let leaf = pinned
  for (const node of scope.nodes)
    if (node.at > at && node.parent === leaf && !node.mergedInto) leaf = node.results.at(-1) ?? node
  return leaf
}

function lastLeaf(scope: Scope): Node | undefined {
  const parents = new Set<Node>()
  for (const { parent, mergedInto } of scope.nodes) if (parent && !mergedInto) parents.add(parent)
  let best: Node | undefined
  for (const node of scope.nodes) {
    if (node.mergedInto || parents.has(node)) continue
    if (!best || rankOf(node) > rankOf(best) || (rankOf(node) === rankOf(best) && node.last > best.last)) best = node
  }
  const isOpenCompaction = best?.role === "boundary" && best.records.length === 1
  return isOpenCompaction ? (best?.parent ?? best) : best
}

function rankOf({ role }: Node): number {
  return role === "meta" ? 0 : 1
}
