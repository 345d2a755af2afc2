import type { SourceRecord } from "../source/source-record.js"
import { isOpen, Node, tailOf } from "./node.js"
import type { Scope } from "./scope.js"

/**
 * The node where the conversation goes on, as Claude Code finds it: the last record, if it is the one that the last `last-prompt` pins or below it;
 * otherwise the pinned one, unless a compaction follows. A pin that the user set counts until something follows it. In a file without pins, what was
 * written last below the last record, where that is not the newest. Null where the user went before the first message, and nothing follows.
 *
 * @param end the number of the records that are taken into account
 */
export function findLeaf(scope: Scope, end = scope.records.length): Node | null | undefined {
  const pin = lastPin(scope, end)
  const at = lastRow(scope, end)
  const isEnd = pin?.isExplicit === true && at <= pin.at
  if (pin?.node === null && isEnd) return null
  const last = nodeAt(scope, at)
  if (pin?.node && (isEnd || !last || !belowTest(pin.node)(last))) return endOf(scope, pin.node, end)
  if (!last) return scope.nodes.filter((node) => node.at < end && !node.mergedInto).at(-1)
  return endOf(scope, pin ? last : newestBelow(scope, last, at), end)
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
    if (scope.nodeOf[at]?.role === "boundary") return undefined
    const { pin } = records[at] as SourceRecord
    if (!pin) continue
    const { leaf, isExplicit } = pin
    if (leaf === null) return { at, node: null, isExplicit }
    const origin = scope.originOf(leaf)
    return origin instanceof Node ? { at, node: tailOf(origin), isExplicit } : undefined
  }
  return start?.isPinned ? { at: -1, node: start.node, isExplicit: false } : undefined
}

/** The position of the last record that Claude Code links: one with an id, of whatever kind. -1 where there is none. */
function lastRow({ records }: Scope, end: number): number {
  for (let at = end - 1; at >= 0; at--) if (isRow(records[at] as SourceRecord)) return at
  return -1
}

function isRow({ uuid, kind }: SourceRecord): boolean {
  return uuid !== undefined && /^(?:user|assistant|attachment:|system:(?!file_snapshot$))/.test(kind)
}

/** The node at a position, or the one above it. */
function nodeAt(scope: Scope, at: number): Node | undefined {
  const node = at < 0 ? scope.start?.node : scope.originOf(scope.records[at]?.uuid)
  return node instanceof Node ? tailOf(node) : undefined
}

/** What was written last below a node, by time, where an earlier record is as new as it is, and no record pins a leaf. */
function newestBelow(scope: Scope, last: Node, at: number): Node {
  const timeOf = (record: SourceRecord | undefined): string => record?.time ?? ""
  const before = scope.records.slice(0, at)
  const isNewest = !before.some((record) => isRow(record) && timeOf(record) >= timeOf(scope.records[at]))
  if (isNewest || before.some(({ pin }) => pin)) return last
  const isBelow = belowTest(last)
  return scope.nodes.reduce(
    (newest, node) =>
      node !== last && isBelow(node) && (newest === last || timeOf(node.record) >= timeOf(newest.record))
        ? node
        : newest,
    last,
  )
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

/** What the client adds behind a message without being asked. */
const TRAILING: ReadonlySet<string> = /* @__PURE__ */ new Set(["reminder", "local-command", "queued"])

/** The last of what trails the message that a node is or trails; of a compaction that has no summary, the node above. */
function endOf(scope: Scope, node: Node, end: number): Node {
  if (isOpen(node)) return node.parent ?? node
  let said = node
  while (TRAILING.has(said.role) && said.parent) said = said.parent
  const trailing = new Set<Node | undefined>([tailOf(said)])
  let last = tailOf(said)
  for (const one of scope.nodes) {
    if (one.at >= end || one.mergedInto || !TRAILING.has(one.role) || !trailing.has(one.parent)) continue
    trailing.add(one)
    last = one
  }
  return last
}
