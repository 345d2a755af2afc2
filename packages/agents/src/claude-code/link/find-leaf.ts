import { Node, OF_CLIENT, tailOf } from "./node.js"
import type { Scope } from "./scope.js"

/**
 * The node where the conversation goes on, as Claude Code finds it: the newest below the one that the last `last-prompt` pins, unless a
 * compaction follows; where the user went there, only what was written below it since then. Without a pin, the newest of those without
 * children. Null where the user went before the first message, and nothing follows.
 *
 * @param end the number of the records that are taken into account
 */
export function findLeaf(scope: Scope, end = scope.records.length): Node | null | undefined {
  const nodes = scope.nodes.filter(({ at }) => at < end)
  const pin = lastPin(scope, end)
  if (!pin) return newestLeaf(nodes, nodes)
  const { at, node, isExplicit } = pin
  const isBelow = node ? belowTest(node) : () => true
  const since = nodes.filter((one) => (one.last > at || !isExplicit) && isBelow(one))
  return since.length > 0 ? newestLeaf(nodes, since) : node
}

interface Pin {
  readonly at: number
  readonly node: Node | null
  readonly isExplicit: boolean
}

/** @param end the number of the records that are taken into account */
export function lastPin(scope: Scope, end: number): Pin | undefined {
  const { records, start } = scope
  for (let at = end - 1; at >= 0; at--) {
    const record = records[at]
    if (scope.nodeOf[at]?.role === "boundary") return undefined
    const pin = record?.pin
    if (!pin) continue
    const { leaf, isExplicit } = pin
    if (leaf === undefined) return undefined
    if (leaf === null) return { at, node: null, isExplicit }
    const origin = scope.originOf(leaf)
    if (origin instanceof Node) return { at, node: tailOf(origin), isExplicit }
  }
  return start?.isPinned ? { at: -1, node: start.node, isExplicit: false } : undefined
}

/** Whether nodes hang on this one, at any distance. */
function belowTest(top: Node): (node: Node) => boolean {
  const known = new Map<Node, boolean>([[top, true]])
  return (node) => {
    const passed: Node[] = []
    let at: Node | undefined = node
    for (; at && !known.has(at); at = at.mergedInto ?? at.parent) passed.push(at)
    const isBelow = at !== undefined && known.get(at) === true
    for (const one of passed) known.set(one, isBelow)
    return isBelow
  }
}

/** Of those without children, the one whose conversation is the newest. What the client says by itself is none. */
function newestLeaf(all: readonly Node[], nodes: readonly Node[]): Node | undefined {
  const parents = new Set(all.map(({ parent, mergedInto }) => (mergedInto ? undefined : parent)))
  /** How new the conversation above a node is: the position of what was said last. */
  const ages = new Map<Node, number>()
  let best: Node | undefined
  for (const node of nodes) {
    if (node.mergedInto || parents.has(node)) continue
    const [age, bestAge] = [ageOf(node, ages), best ? ageOf(best, ages) : -1]
    if (!best || age > bestAge || (age === bestAge && node.last > best.last)) best = node
  }
  const isOpenCompaction = best?.role === "boundary" && best.records.length === 1
  return isOpenCompaction ? (best?.parent ?? best) : best
}

function ageOf(node: Node, ages: Map<Node, number>): number {
  const passed: Node[] = []
  let at: Node | undefined = node
  for (; at && OF_CLIENT.has(at.role) && !ages.has(at); at = at.parent) passed.push(at)
  const age = at ? (ages.get(at) ?? at.last) : Number.NEGATIVE_INFINITY
  for (const one of passed) ages.set(one, age)
  return age
}
