import type { Diagnostic } from "@treelog/session-core"
import type { Before } from "../source/before.js"
import { NODE_ROLES, type NodeRole } from "../source/record-head.js"
import { contentOf, type SourceRecord } from "../source/source-record.js"
import { Node } from "./node.js"

const ROLES: ReadonlySet<string> = /* @__PURE__ */ new Set(NODE_ROLES)

/** A node; null where a chain of parents ends at a root; the parent that is not in the file. */
export type Origin = Node | MissingParent | null

/** A parent that is not in the file. */
export class MissingParent {
  readonly uuid: string
  /** The position of the record that names it; undefined where no record was given. */
  readonly at: number | undefined

  constructor(uuid: string, at: number | undefined) {
    this.uuid = uuid
    this.at = at
  }
}

/** The nodes of a transcript, and where its uuids lead: of a session, of a sub-agent, or of one side chain within a file. */
export class Scope {
  /** In the order of their first records. */
  readonly nodes: Node[] = []
  /** By record. Undefined for one that is no node. */
  readonly nodeOf: (Node | undefined)[] = []
  readonly diagnostics: Diagnostic[] = []
  /** Records that repeat an earlier one, with its position: they are in no entry. */
  readonly copies = new Map<SourceRecord, number>()
  /** Records whose id a later one has, with other content: Claude Code takes the last. They are kept, but nothing hangs on them. */
  readonly displaced = new Set<SourceRecord>()
  /** By uuid: the first record that has it, and the last. */
  readonly #positions = new Map<string, number>()
  readonly #lasts = new Map<string, number>()
  /** By its key. */
  readonly #replies = new Map<string, Node>()
  /** By the key of its reply, and by time: the first line. */
  readonly #lines = new Map<string, SourceRecord>()
  /** By role and time: the first node. */
  #firsts: ReadonlyMap<string, Node> | undefined
  /** By position of a record that is no node. */
  readonly #origins = new Map<number, Origin>()
  /** In file order. */
  readonly records: readonly SourceRecord[]
  /** The node before the records. */
  readonly start: { readonly node: Node; readonly isPinned: boolean } | undefined
  readonly #startUuids: ReadonlySet<string | undefined>
  #earliest: readonly number[] | undefined

  constructor(records: readonly SourceRecord[], before?: Before) {
    this.records = records
    this.start = before && { node: this.#addNode(nodeBefore(before)), isPinned: before.isPinned }
    this.#startUuids = new Set(before?.node.uuids)
    for (const [at, { uuid }] of records.entries()) if (uuid !== undefined) this.#lasts.set(uuid, at)
    for (const record of records) this.nodeOf.push(this.#add(record, this.nodeOf.length))
  }

  /**
   * The earliest time of the records up to a position, so that who looks back for an earlier one ends where there is none. Milliseconds since 1970;
   * the time of a record without one can be any.
   */
  earliestUpTo(at: number): number {
    if (!this.#earliest) {
      let earliest = Number.POSITIVE_INFINITY
      this.#earliest = this.records.map(({ millis }) => {
        earliest = Math.min(earliest, Number.isNaN(millis) ? Number.NEGATIVE_INFINITY : millis)
        return earliest
      })
    }
    return this.#earliest[at] ?? Number.NEGATIVE_INFINITY
  }

  /** The position of the first record with a uuid. */
  positionOf(uuid: string | undefined): number | undefined {
    return uuid === undefined ? undefined : this.#positions.get(uuid)
  }

  /** The node at a position, or the one that it is a part or a copy of. */
  entryNodeAt(at: number | undefined): Node | undefined {
    const node = at === undefined ? undefined : this.nodeOf[at]
    return node?.mergedInto ?? node
  }

  /** The first node with the role and the time of another. */
  firstLike(node: Node): Node | undefined {
    const keyOf = ({ role, record }: Node): string => `${role} ${record.time}`
    this.#firsts ??= new Map([...this.nodes].reverse().map((one) => [keyOf(one), one]))
    return this.#firsts.get(keyOf(node))
  }

  report(kind: Diagnostic["kind"], record: SourceRecord, message: string): void {
    const { line, offset, uuid } = record
    this.diagnostics.push({ kind, line, offset, ...(uuid !== undefined && { entryId: uuid }), message })
  }

  /** Makes a node a copy of an earlier one. */
  merge(node: Node, earlier: Node): void {
    node.mergedInto = earlier
    for (const record of node.records) this.#addRepeated(record, earlier.record, earlier.at)
  }

  /** Where the links of records lead: a record that is no node is passed over. @param from the position of the record that names it */
  originOf(uuid: string | undefined, from?: number): Origin {
    const passed: number[] = []
    let found: Origin | undefined
    for (let id = uuid; found === undefined; ) {
      const at = this.positionOf(id)
      if (at === undefined && this.#startUuids.has(id)) found = this.start?.node ?? null
      else if (at === undefined) found = id === undefined ? null : new MissingParent(id, passed.at(-1) ?? from)
      else if (this.nodeOf[at]) found = this.nodeOf[at]
      else if (this.#origins.has(at)) found = this.#origins.get(at) ?? null
      else {
        // Lines that are no nodes and form a cycle end here, as at a root.
        this.#origins.set(at, null)
        passed.push(at)
        id = this.records[at]?.parent
      }
    }
    for (const at of passed) this.#origins.set(at, found)
    return found
  }

  #add(record: SourceRecord, at: number): Node | undefined {
    const { uuid, role } = record
    if (uuid !== undefined) {
      const last = this.#lasts.get(uuid) ?? at
      if (last !== at && !this.#isCopy(record, last)) {
        this.displaced.add(record)
        return this.#reportId(record, last, "the last has it, and this one is kept apart")
      }
      const known = this.#positions.get(uuid)
      if (known !== undefined) {
        this.copies.set(record, known)
        return this.#reportId(record, known, "the first counts")
      }
      this.#positions.set(uuid, at)
    }
    if (!ROLES.has(role)) return undefined
    return role === "reply" ? this.#addToReply(record, at) : this.#addNode(new Node(role as NodeRole, record, at))
  }

  #isCopy(record: SourceRecord, at: number): boolean {
    const other = this.records[at] as SourceRecord
    return record.kind === other.kind && contentOf(other) === contentOf(record)
  }

  /** @param at the position of the other record that has its id */
  #reportId(record: SourceRecord, at: number, result: string): undefined {
    const { line, uuid } = record
    this.report("duplicate-id", record, `Line ${line} has the id ${uuid} of line ${this.records[at]?.line}: ${result}.`)
  }

  #addRepeated(record: SourceRecord, earlier: SourceRecord, at: number): void {
    this.copies.set(record, at)
    const message = `Line ${record.line} repeats line ${earlier.line} under another id: the first counts.`
    this.report("duplicate-id", record, message)
  }

  #addNode(node: Node): Node {
    this.nodes.push(node)
    return node
  }

  #addToReply(record: SourceRecord, at: number): Node {
    const { key, time } = record
    const node = key === undefined ? undefined : this.#replies.get(key)
    const line = key !== undefined && time !== undefined ? `${key}\0${time}` : ""
    const copied = this.#lines.get(line)
    if (node && copied && contentOf(copied) === contentOf(record)) {
      this.#addRepeated(record, copied, node.at)
      return node
    }
    if (!copied && line !== "") this.#lines.set(line, record)
    if (!node) {
      const made = new Node("reply", record, at)
      if (key !== undefined) this.#replies.set(key, made)
      return this.#addNode(made)
    }
    node.records.push(record)
    node.last = at
    node.hasCalls ||= (record.calls ?? []).length > 0
    if (outputOf(record) >= (node.usage?.usage?.output ?? 0)) node.usage = record
    return node
  }
}

/** It stands for all that is before: an answer of the model, whatever it is. */
function nodeBefore({ node: { id, lastId, model, place, hasCalls } }: Before): Node {
  const node = new Node("reply", { id } as SourceRecord, -1)
  return Object.assign(node, { lastId, model, place, hasCalls })
}

/** Output tokens of the usage; -1 where there is none. */
export function outputOf({ usage }: SourceRecord): number {
  return usage?.output ?? -1
}
