import { contentOf, type SourceRecord } from "../source/source-record.js"
import { isAddition, type Node, tailOf } from "./node.js"
import type { Scope } from "./scope.js"

/** The messages that a compaction kept, on which it hangs: its summary stands before the first, and what follows behind the last. */
export interface KeptMessages {
  /** Before the boundary in the file. */
  readonly last: Node
  /** The position of the first record. */
  readonly first: number
}

/** The messages that each boundary keeps: those that it names, or else those that are written again behind its summary. */
export function keptMessages(scope: Scope): Map<Node, KeptMessages> {
  const kept = new Map<Node, KeptMessages>()
  for (const boundary of scope.nodes) {
    if (boundary.role !== "boundary") continue
    const found = namedBy(scope, boundary) ?? writtenAgain(scope, boundary)
    if (found) kept.set(boundary, found)
  }
  return kept
}

/** Where one of them is not in the file, none is kept. */
function namedBy(scope: Scope, boundary: Node): KeptMessages | undefined {
  const { firstKept, lastKept, kept = [] } = boundary.record.boundary ?? {}
  if (kept.some((uuid) => scope.positionOf(uuid) === undefined)) return undefined
  const [first, at] = [scope.positionOf(firstKept), scope.positionOf(lastKept)]
  if (first === undefined || at === undefined || first > at || at > boundary.at) return undefined
  for (let position = at; position >= first; position--) {
    const last = scope.entryNodeAt(position)
    if (last) return { first, last }
  }
  return undefined
}

/** A copy has the time of its original, which is before that of the compaction. It hangs on the summary or on another copy. */
function writtenAgain(scope: Scope, boundary: Node): KeptMessages | undefined {
  const { records } = scope
  const above = new Set([boundary.record.uuid])
  let kept: KeptMessages | undefined
  for (let at = boundary.at + 1; at < records.length; at++) {
    const record = records[at] as SourceRecord
    if (record.role === "boundary") break
    if (!above.has(record.parent)) continue
    if (record.role !== "summary") {
      if (!(record.millis <= boundary.record.millis)) continue
      const original = originalOf(scope, record, at)
      if (!original || original.at > boundary.at) continue
      kept = { first: kept?.first ?? original.at, last: original }
    }
    above.add(record.uuid)
  }
  return kept
}

function originalOf(scope: Scope, record: SourceRecord, at: number): Node | undefined {
  const first = scope.copies.get(record)
  if (first !== undefined) return scope.nodeOf[first]
  const copy = scope.nodeOf[at]
  const original = copy && scope.firstLike(copy)
  if (!original || original === copy || contentOf(original.record) !== contentOf(record)) return undefined
  scope.merge(copy, original)
  return original
}

/** The compactions that stand behind the messages that they kept, by the end of those. */
export class CompactionsBehind {
  readonly #boundaries = new Map<Node, Node[]>()
  /** Those with messages behind their summary, the last first. */
  readonly #kept: readonly (readonly [Node, KeptMessages])[]
  readonly #last: Node | undefined

  /** @param last the last compaction */
  constructor(kept: ReadonlyMap<Node, KeptMessages>, last: Node | undefined) {
    this.#last = last
    this.#kept = [...kept].filter(([{ record }]) => record.boundary?.keepsBefore !== true).reverse()
    for (const [boundary, { last }] of kept) {
      const end = tailOf(last)
      this.#boundaries.set(end, [...(this.#boundaries.get(end) ?? []), boundary])
    }
  }

  /** The one that kept `origin` and what follows it, when a node was written there: the user went back to before those. */
  around(origin: Node, node: Node): Node | undefined {
    const [latest] = this.#kept.find(([{ at }]) => at < node.at) ?? []
    if (!latest || origin.at > latest.at) return undefined
    return this.#kept.find(
      ([{ at }, { first, last }]) => at < node.at && first <= origin.at && origin.at <= last.last,
    )?.[0]
  }

  /** The one below which a node was written that hangs on `origin`: on the last of the messages that it kept, or on what the last one dropped. */
  find(origin: Node, node: Node): Node | undefined {
    const [latest, { first }] = this.#kept[0] ?? [undefined, { first: 0 }]
    const isDropped = latest === this.#last && origin.at < first && !isAddition(node)
    const boundaries = isDropped && latest ? [latest] : this.#boundaries.get(tailOf(origin))
    return boundaries?.filter(({ at }) => at < node.at).at(-1)
  }
}
