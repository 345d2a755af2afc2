import { type Node, tailOf } from "./node.js"
import type { Origins } from "./origins.js"
import type { Scope } from "./scope.js"

/**
 * The node where the conversation goes on: the one that the last `last-prompt` pins, unless a compaction follows, or what was written
 * below it since then; otherwise the last of those without children in the file, lines of the client last of all.
 */
export function findLeaf(scope: Scope, origins: Origins): Node | undefined {
  const pin = lastPin(scope)
  const origin = pin ? origins.of(pin.uuid) : null
  if (pin && origin !== null && typeof origin === "object") return continued(scope, tailOf(origin), pin.at)
  return lastLeaf(scope)
}

function lastPin(scope: Scope): { at: number; uuid: number } | undefined {
  const { records } = scope.transcript
  for (let at = records.length - 1; at >= 0; at--) {
    const record = records[at]
    if (scope.nodeOf[at]?.role === "boundary") return undefined
    if (record?.role !== "last-prompt") continue
    const { leaf } = record.rare
    if (leaf === null) return undefined
    const uuid = scope.transcript.ids.numberOf(leaf)
    if (uuid !== 0 && scope.positionOf(uuid) !== undefined) return { at, uuid }
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
  /** By position of a node: 1 where it has children. */
  const isParent = new Uint8Array(scope.nodeOf.length)
  for (const { parent, mergedInto } of scope.nodes) if (parent && !mergedInto) isParent[parent.at] = 1
  let best: Node | undefined
  for (const node of scope.nodes) {
    if (node.mergedInto || isParent[node.at]) continue
    if (!best || rankOf(node) > rankOf(best) || (rankOf(node) === rankOf(best) && node.last > best.last)) best = node
  }
  const isOpenCompaction = best?.role === "boundary" && best.count === 1
  return isOpenCompaction ? (best?.parent ?? best) : best
}

function rankOf({ role }: Node): number {
  return role === "meta" ? 0 : 1
}
