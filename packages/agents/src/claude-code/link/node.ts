import { CLIENT_ROLES, type NodeRole } from "../source/record-head.js"
import type { RecordPlace, SourceRecord } from "../source/source-record.js"

/** Nodes that the client adds by itself. */
export const OF_CLIENT: ReadonlySet<string> = /* @__PURE__ */ new Set(CLIENT_ROLES)

/** One step of the conversation: a prompt, a reply of one or more lines, a line of results, a compaction. */
export class Node {
  readonly role: NodeRole
  /** Its first record. */
  readonly record: SourceRecord
  /** All: the lines of a reply in file order, or the boundary and the summary of a compaction. */
  readonly records: SourceRecord[]
  /** Position of its first record in the file, and of its last. */
  readonly at: number
  last: number
  parent: Node | undefined
  /** Results of the calls of a reply, in the order of the file. */
  readonly results: Node[] = []
  /** Of a reply: whether it calls tools. */
  hasCalls: boolean
  /** Of a result: the reply that made the call. */
  caller: Node | undefined
  /** Of a reply: the line that has its final usage. */
  usage: SourceRecord | undefined
  /** The node that this one is a part or a copy of: it becomes no entry of its own. */
  mergedInto: Node | undefined
  /** The entry on which hangs what comes next, once it has entries. Its main one has the id of its record. */
  lastId: string | null | undefined
  /** How many nodes are above it, and one of them, from which it is about as far to the next such; once it has entries. */
  depth = 0
  jump: Node | undefined
  /** The model at this node, and the place. */
  model: string | undefined
  place: RecordPlace | undefined

  constructor(role: NodeRole, record: SourceRecord, at: number) {
    this.role = role
    this.record = record
    this.records = [record]
    this.at = at
    this.last = at
    this.usage = record.usage && record
    this.hasCalls = (record.calls ?? []).length > 0
  }
}

/** Whether the client added a node, which a request has behind what was said: a reminder, or a prompt that waited. */
export function isAddition({ role }: Node): boolean {
  return role === "queued" || OF_CLIENT.has(role)
}

/** Whether a node is a compaction whose summary was lost. */
export function isOpen({ role, records }: Node): boolean {
  return role === "boundary" && records.length === 1
}

/** What hangs on a node hangs on the last result of its reply, if it has any. */
export function tailOf(node: Node): Node {
  let at = node
  while (at.mergedInto) at = at.mergedInto
  return (at.caller ?? at).results.at(-1) ?? at
}

/** Gives a node its depth. Its parent must have one. */
export function setDepth(node: Node): void {
  const { parent } = node
  node.depth = parent ? parent.depth + 1 : 0
  const [near, far] = [parent?.jump, parent?.jump?.jump]
  // Jumps of the lengths of skew binary numbers: each depth is reached in a logarithm of steps.
  const isLong = parent && near && far && parent.depth - near.depth === near.depth - far.depth
  node.jump = isLong ? far : parent
}

/** Whether `node` is `ancestor`, or below it. Both must have a depth. */
export function isBelow(node: Node | undefined, ancestor: Node): boolean {
  let at = node
  while (at && at.depth > ancestor.depth) at = at.jump && at.jump.depth >= ancestor.depth ? at.jump : at.parent
  return at === ancestor
}
