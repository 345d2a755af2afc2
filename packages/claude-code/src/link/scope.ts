import type { Diagnostic } from "@treelog/session-core"
import type { IdTable } from "../source/id-table.js"
import { NODE_ROLES } from "../source/record-facts.js"
import type { SourceRecord } from "../source/source-record.js"
import { type Node, newNode } from "./node.js"

/** The records of one transcript: of a session, of a sub-agent, or of one side chain within a file. */
export interface Transcript {
  /** In file order. */
  readonly records: readonly SourceRecord[]
  /** The numbers of their ids. */
  readonly ids: IdTable
  /** The same for the same content, and for another one only by accident. */
  contentKey(record: SourceRecord): string
  /** Whether two records have the same content. */
  isSameContent(a: SourceRecord, b: SourceRecord): boolean
}

const NODES: ReadonlySet<string> = /* @__PURE__ */ new Set(NODE_ROLES)

/** The nodes of a transcript, and where its uuids lead. */
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
  /** By position of a record: that of the next one of the same node; 0 behind the last. */
  readonly #next: Int32Array
  /** By the number of the uuid: the first record that has it, and the last. */
  readonly #positions = new Map<number, number>()
  readonly #lasts = new Map<number, number>()
  /** By the number of the key: the first record of the reply that has it. */
  readonly #replies = new Map<number, number>()
  /** By reply, and by time: the first line. Only of replies with many lines. */
  readonly #times = new Map<Node, Map<string, SourceRecord>>()
  readonly transcript: Transcript

  constructor(transcript: Transcript) {
    this.transcript = transcript
    for (const [at, { uuidNumber }] of transcript.records.entries())
      if (uuidNumber !== 0) this.#lasts.set(uuidNumber, at)
    this.#next = new Int32Array(transcript.records.length)
    for (const record of transcript.records) this.nodeOf.push(this.#add(record, this.nodeOf.length))
  }

  /** The position of the first record with a uuid. @param uuid its number */
  positionOf(uuid: number): number | undefined {
    return uuid === 0 ? undefined : this.#positions.get(uuid)
  }

  /** The same for a uuid as text. */
  positionOfText(uuid: string): number | undefined {
    return this.positionOf(this.transcript.ids.numberOf(uuid))
  }

  /** In file order, but for those of a compaction. */
  recordsOf(node: Node): SourceRecord[] {
    const records = new Array<SourceRecord>(node.count)
    for (let index = 0, at = node.at; index < node.count; index++, at = this.#next[at] ?? 0)
      records[index] = this.transcript.records[at] as SourceRecord
    return records
  }

  /** Adds a record behind those of a node. @param last the position of its last one */
  addTo(node: Node, last: number, at: number): void {
    this.#next[last] = at
    node.count += 1
  }

  report(kind: Diagnostic["kind"], record: SourceRecord, message: string): void {
    const { line, offset, uuid } = record
    this.diagnostics.push({ kind, line, offset, ...(uuid !== undefined && { entryId: uuid }), message })
  }

  /** Makes a node a copy of an earlier one. */
  merge(node: Node, earlier: Node): void {
    node.mergedInto = earlier
    for (const record of this.recordsOf(node)) {
      this.copies.set(record, earlier.at)
      this.report("duplicate-id", record, repeats(record, earlier.record))
    }
  }

  #add(record: SourceRecord, at: number): Node | undefined {
    const { uuidNumber, role } = record
    if (uuidNumber !== 0) {
      const last = this.#lasts.get(uuidNumber) ?? at
      if (last !== at && !this.#isCopy(record, last)) return this.#addDisplaced(record, last)
      const known = this.#positions.get(uuidNumber)
      if (known !== undefined) return this.#addCopy(record, known)
      this.#positions.set(uuidNumber, at)
    }
    if (!NODES.has(role)) return undefined
    return role === "reply" ? this.#addToReply(record, at) : this.#addNode(newNode(role as Node["role"], record, at))
  }

  #isCopy(record: SourceRecord, at: number): boolean {
    const other = this.transcript.records[at] as SourceRecord
    return record.kind === other.kind && this.transcript.isSameContent(other, record)
  }

  #addDisplaced(record: SourceRecord, at: number): undefined {
    this.displaced.add(record)
    const { line, uuid } = record
    const last = this.transcript.records[at]?.line
    const message = `Line ${line} has the id ${uuid} of line ${last}: the last has it, and this one is kept apart.`
    this.report("duplicate-id", record, message)
  }

  #addCopy(record: SourceRecord, at: number): undefined {
    this.copies.set(record, at)
    const first = this.transcript.records[at]?.line
    const message = `Line ${record.line} has the id ${record.uuid} of line ${first}: the first counts.`
    this.report("duplicate-id", record, message)
  }

  #addNode(node: Node): Node {
    this.nodes.push(node)
    return node
  }

  #addToReply(record: SourceRecord, at: number): Node {
    const { keyNumber } = record
    const known = keyNumber === 0 ? undefined : this.#replies.get(keyNumber)
    const node = known === undefined ? undefined : this.nodeOf[known]
    if (!node) {
      if (keyNumber !== 0) this.#replies.set(keyNumber, at)
      return this.#addNode(newNode("reply", record, at))
    }
    const copied = this.#withTimeOf(node, record)
    if (copied && this.transcript.isSameContent(copied, record)) {
      this.copies.set(record, node.at)
      this.report("duplicate-id", record, repeats(record, copied))
      return node
    }
    this.addTo(node, node.last, at)
    node.last = at
    if (record.output >= (node.usage?.output ?? 0)) node.usage = record
    return node
  }

  /** The first record of a node that has the same time. */
  #withTimeOf(node: Node, record: SourceRecord): SourceRecord | undefined {
    if (node.count > MANY) return this.#withTimeOfMany(node, record)
    for (let index = 0, at = node.at; index < node.count; index++, at = this.#next[at] ?? 0) {
      const other = this.transcript.records[at]
      if (other?.hasTimeOf(record)) return other
    }
    return undefined
  }

  #withTimeOfMany(node: Node, record: SourceRecord): SourceRecord | undefined {
    const times = this.#times.get(node) ?? new Map<string, SourceRecord>()
    // All but the last were added by the calls before.
    const added = this.#times.has(node) ? this.transcript.records.slice(node.last, node.last + 1) : this.recordsOf(node)
    this.#times.set(node, times)
    for (const one of added) if (one.time !== undefined && !times.has(one.time)) times.set(one.time, one)
    return record.time === undefined ? undefined : times.get(record.time)
  }
}

/** The lines of a reply with more are looked up by their time. */
const MANY = 64

function repeats(record: SourceRecord, earlier: SourceRecord): string {
  return `Line ${record.line} repeats line ${earlier.line} under another id: the first counts.`
}
