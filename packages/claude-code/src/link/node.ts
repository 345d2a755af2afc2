import type { SourceRecord } from "../source/source-record.js"

/** One step of the conversation: a prompt, a reply of one or more lines, a line of results, a compaction. */
export interface Node {
  readonly role: "reply" | "prompt" | "result" | "meta" | "boundary" | "summary" | "reminder" | "queued"
  /** In file order, at least one. A compaction has the boundary and then the summary. */
  readonly records: SourceRecord[]
  /** Position of its first record in the file, and of its last. */
  readonly at: number
  last: number
  parent: Node | undefined
  /** Results of the calls of a reply, in the order of the calls. */
  results: readonly Node[]
  /** Of a result: the reply that made the call. */
  caller: Node | undefined
  /** Of a reply: the line that has its final usage. */
  usage: SourceRecord | undefined
  /** The node that this one is a part or a copy of: it becomes no entry of its own. */
  mergedInto: Node | undefined
  /** The id of its main entry, once it has entries. */
  entryId: string | undefined
  /** The entry on which hangs what comes next. */
  lastId: string | undefined
  /** The model at this node, and the place. */
  model: string | undefined
  place: number
}

const NONE: readonly Node[] = []

export function newNode(role: Node["role"], record: SourceRecord, at: number): Node {
  const usage = record.hasUsage ? record : undefined
  return {
    role,
    records: [record],
    at,
    last: at,
    parent: undefined,
    results: NONE,
    caller: undefined,
    usage,
    mergedInto: undefined,
    entryId: undefined,
    lastId: undefined,
    model: undefined,
    place: -1,
  }
}

export function firstOf(node: Node): SourceRecord {
  return node.records[0] as SourceRecord
}

/** What hangs on a node hangs on the last result of its reply, if it has any. */
export function tailOf(node: Node): Node {
  let at = node
  while (at.mergedInto) at = at.mergedInto
  return (at.caller ?? at).results.at(-1) ?? at
}

/** Whether `node` is `ancestor`, or below it. The tree must have no cycle. */
export function isBelow(node: Node | undefined, ancestor: Node): boolean {
  for (let at = node; at; at = at.parent) if (at === ancestor) return true
  return false
}
