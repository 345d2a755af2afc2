import { contentOf, type SourceRecord } from "../source/source-record.js"
import { CompactionsBehind, type KeptMessages, keptMessages } from "./kept-messages.js"
import { linkResults } from "./link-results.js"
import { isAddition, Node, tailOf } from "./node.js"
import { MissingParent, type Origin, type Scope } from "./scope.js"

/**
 * Gives each node its parent, so that the conversation is one tree, with the paths that Claude Code itself takes when it resumes the file:
 * 1. A record that is no node is passed over: what hangs on it hangs on the nearest node above.
 * 2. The lines of one reply are one node.
 * 3. Results stand behind their reply in the order of the file; a child of the reply or of one of them becomes a child of the last.
 * 4. A compaction hangs on the last message that it keeps, and what was written below that one since then hangs on the compaction. One that
 *    keeps none hangs on its logical parent, unless that is not in the file, below it, or before another compaction: then on the node before.
 * 5. A parent that is not in the file is replaced by the node before, by time; where nothing was written shortly before, the model gets nothing of
 *    what is above. What has no parent is a root.
 * 6. Siblings with the same time and content are one: copies of messages that a compaction kept.
 * 7. What hangs on messages that a compaction kept, but for the last, has the summary of the compaction above it. What was written behind the last
 *    compaction on what is before the messages that it kept hangs on it, since Claude Code drops that.
 * 8. What the client added behind calls, and nothing hangs on, stands before what else hangs there: each of several results has its own.
 * 9. What is left as siblings is a branch.
 */
export function linkNodes(scope: Scope): Links {
  linkResults(scope)
  const kept = keptMessages(scope)
  const behind = new CompactionsBehind(kept, scope.nodes.filter(({ role }) => role === "boundary").at(-1))
  const loose: Loose[] = []
  const rewound = new Map<Node, Node>()
  const apart = new Set<Node>()
  let boundaryBefore = -1
  for (const node of scope.nodes) {
    if (node.caller || node.mergedInto) continue
    const { boundary, parent } = node.record
    const origin = kept.get(node)?.last ?? scope.originOf(boundary ? boundary.logicalParent : parent, node.at)
    const isStale = boundary && !kept.has(node) && origin instanceof Node && origin.at < boundaryBefore
    if (origin instanceof Node && !isStale) {
      const compaction = boundary ? undefined : behind.find(origin, node)
      node.parent = parentFrom(compaction ?? origin, node)
      const around = compaction || boundary ? undefined : behind.around(origin, node)
      if (around && node.parent) rewound.set(node, around)
    }
    if (boundary) boundaryBefore = node.at
    const isRoot = origin === null && !boundary && node.role !== "summary"
    if (!node.parent && !isRoot && node !== scope.nodes[0])
      loose.push({ node, reason: isStale ? "follows another compaction" : reasonOf(origin) })
    if (origin instanceof MissingParent && !boundary && !isShortlyAfter(scope, origin.at)) apart.add(node)
  }
  mergeSummaries(scope)
  loose.push(...cutCycles(scope))
  const rootOf = rootFinder()
  for (const { node, reason } of loose.sort((a, b) => a.node.at - b.node.at)) attach(scope, rootOf, node, reason)
  mergeCopies(scope)
  lineUpAdditions(scope)
  return { kept, rewound, apart }
}

export interface Links {
  /** By boundary. */
  readonly kept: ReadonlyMap<Node, KeptMessages>
  /** By node that hangs on messages which a compaction kept: its boundary. What the compaction summarized is not above it for the model. */
  readonly rewound: ReadonlyMap<Node, Node>
  /** Nodes whose parent is not in the file, and which follow nothing closely: what is above them is not sent. */
  readonly apart: ReadonlySet<Node>
}

interface Loose {
  readonly node: Node
  /** Why it has no parent of its own, as a part of a sentence. */
  readonly reason: string
}

/** How long after another record Claude Code takes that for the parent of one whose own is missing. Milliseconds. */
const SHORTLY = 5000

/** @param at the position of the record that names it */
function isShortlyAfter(scope: Scope, at = 0): boolean {
  const record = scope.records[at] as SourceRecord
  for (let before = at - 1; before >= 0; before--) {
    if (scope.earliestUpTo(before) > record.millis) return false
    const { uuid, millis = Number.NaN } = scope.records[before] ?? {}
    if (uuid !== undefined && millis <= record.millis) return record.millis - millis <= SHORTLY
  }
  return false
}

/** Undefined where a node would hang on itself. */
function parentFrom(origin: Node, node: Node): Node | undefined {
  const parent = tailOf(origin)
  return parent === node || parent.caller === node ? undefined : parent
}

function reasonOf(origin: Origin): string {
  if (origin instanceof Node) return "names itself as its parent"
  return origin === null ? "has no parent" : `names the parent ${origin.uuid}, which is not in the file`
}

/** A compaction is a boundary and the summary that hangs on it. */
function mergeSummaries(scope: Scope): void {
  for (const node of scope.nodes) {
    const { parent: boundary } = node
    if (node.role !== "summary" || boundary?.role !== "boundary" || boundary.records.length > 1) continue
    boundary.records.push(node.record)
    node.mergedInto = boundary
    node.parent = undefined
  }
  for (const node of scope.nodes) if (node.parent?.mergedInto) node.parent = tailOf(node.parent)
}

/** Takes the parent of one node of each cycle: of a compaction, where there is one, since the messages it kept are written behind it. */
function cutCycles(scope: Scope): Loose[] {
  const cut: Loose[] = []
  /** The node from which another was reached first. */
  const reached = new Map<Node, Node>()
  for (const node of scope.nodes) {
    let at: Node | undefined = node
    for (; at && !reached.has(at); at = at.parent) reached.set(at, node)
    if (at && reached.get(at) === node) cut.push(cutCycle(at))
  }
  return cut
}

function cutCycle(member: Node): Loose {
  const cycle = [member]
  for (let at = member.parent; at && at !== member; at = at.parent) cycle.push(at)
  cycle.sort((a, b) => a.at - b.at)
  const node = cycle.find(({ role }) => role === "boundary") ?? cycle.find(({ caller }) => !caller) ?? member
  node.parent = undefined
  return { node, reason: "names a parent that is below it" }
}

/** Finds roots of nodes, in almost constant time each, while roots get parents. */
function rootFinder(): (node: Node) => Node {
  /** An ancestor of a node. */
  const ancestors = new Map<Node, Node>()
  return (node) => {
    const passed: Node[] = []
    let root = node
    const aboveRoot = (): Node | undefined => ancestors.get(root) ?? root.parent
    for (let above = aboveRoot(); above; above = aboveRoot()) {
      passed.push(root)
      root = above
    }
    for (const below of passed) ancestors.set(below, root)
    return root
  }
}

/** Links a node to the nearest one before it that is not below it. */
function attach(scope: Scope, rootOf: (node: Node) => Node, node: Node, reason: string): void {
  node.parent = nodeBefore(scope, rootOf, node)
  // Claude Code itself reads nothing before a compaction: a logical parent that is gone is no damage, and a summary that has none, either.
  if (node.role === "boundary" || (node.role === "summary" && node.record.parent === undefined)) return
  const place = node.parent ? "it is linked to the entry before it" : "it is a root"
  const { record } = node
  scope.report("missing-parent", record, `Line ${record.line} ${reason}: ${place}.`)
}

/** By time as well as in the file; a compaction, which ends what Claude Code itself reads, only in the file. */
function nodeBefore(scope: Scope, rootOf: (node: Node) => Node, node: Node): Node | undefined {
  const { role, record } = node
  let nearest: Node | undefined
  for (let number = node.at - 1; number >= 0; number--) {
    if (nearest && scope.earliestUpTo(number) > record.millis) return nearest
    const before = scope.nodeOf[number]
    if (!before || before.mergedInto === node) continue
    const parent = tailOf(before)
    if (rootOf(parent) === node) continue
    if (role === "boundary" || !(before.record.millis > record.millis)) return parent
    nearest ??= parent
  }
  return nearest
}

/** Puts the additions of the client behind a reply with calls, that lead nowhere, one behind the other, and what else hangs there behind the last. */
function lineUpAdditions(scope: Scope): void {
  const children = childrenOf(scope)
  for (const [node, all] of children) {
    if (all.length < 2 || !(node.caller ?? node).hasCalls) continue
    let last = node
    const ends = new Map(all.map((child) => [child, endOfAdditions(child, children)]))
    for (const child of all) {
      const end = ends.get(child)
      if (!end) continue
      child.parent = last
      last = end
    }
    for (const child of all) if (!ends.get(child)) child.parent = last
  }
}

/** The last of additions that hang on each other, if nothing else hangs on them. */
function endOfAdditions(node: Node, children: ReadonlyMap<Node, readonly Node[]>): Node | undefined {
  for (let at: Node | undefined = node; at && isAddition(at); ) {
    const [next, ...others]: readonly Node[] = children.get(at) ?? []
    if (!next) return at
    at = others.length > 0 ? undefined : next
  }
  return undefined
}

/** In the order of the file. */
function childrenOf({ nodes }: Scope): Map<Node, Node[]> {
  const children = new Map<Node, Node[]>()
  for (const node of nodes) {
    const { parent, mergedInto } = node
    if (!parent || mergedInto) continue
    const siblings = children.get(parent)
    if (siblings) siblings.push(node)
    else children.set(parent, [node])
  }
  return children
}

/** Siblings of the same kind, time and content are one. */
function mergeCopies(scope: Scope): void {
  /** By parent, kind and time. */
  const firsts = new Map<string, Node>()
  for (const node of scope.nodes) {
    if (node.mergedInto) continue
    if (node.parent?.mergedInto) node.parent = tailOf(node.parent)
    if (node.record.time === undefined || node.caller || node.role === "boundary") continue
    const key = `${node.parent?.at} ${node.role} ${node.record.time}`
    const earlier = firsts.get(key)
    if (!earlier) firsts.set(key, node)
    else if (hasSameContent(earlier, node)) scope.merge(node, earlier)
  }
}

function hasSameContent({ records }: Node, { records: others }: Node): boolean {
  return (
    records.length === others.length &&
    records.every((record, at) => contentOf(record) === contentOf(others[at] ?? record))
  )
}
