import type { Diagnostic } from "@treelog/session-core"
import { findLeaf } from "../link/find-leaf.js"
import { linkNodes } from "../link/link-nodes.js"
import { firstOf, isBelow, type Node, tailOf } from "../link/node.js"
import { Scope, type Transcript } from "../link/scope.js"
import type { RecordPlace } from "../source/record-facts.js"
import type { SourceRecord } from "../source/source-record.js"
import type { ForeignUsage, TimedUsage } from "./foreign-usage.js"
import type { PlannedLine } from "./planned-line.js"
import { Titles } from "./titles.js"

/** What a plan is made from. */
export interface PlanInput extends Transcript {
  readonly places: readonly RecordPlace[]
  /** For entries without a time of their own before the first that has one. */
  readonly startTime: string
  /** Responses of sub-agents whose usage counts in this session, by the record before which they stand. */
  readonly foreign: ForeignUsage
}

/** What became of a record. */
export type Outcome = "converted" | "kept" | "skipped" | "copy"

export interface Plan {
  readonly lines: readonly PlannedLine[]
  /** By record. */
  readonly outcomes: readonly Outcome[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Decides which entries a transcript becomes, and in which order: that of the file, but parents before their children. */
export function planLines(input: PlanInput): Plan {
  return new Planner(input).plan()
}

type LineBody = PlannedLine extends infer Line
  ? Line extends PlannedLine
    ? Omit<Line, "parentId" | "timed">
    : never
  : never

class Planner {
  readonly #input: PlanInput
  readonly #scope: Scope
  readonly #leaf: Node | undefined
  readonly #lines: PlannedLine[] = []
  readonly #outcomes: Outcome[] = []
  readonly #titles: Titles
  /** What precedes the first node hangs here. */
  #firstAside: string | null = null
  /** By position of a record: the one that has its time, it or one before; -1 where none has. */
  readonly #timed: Int32Array
  /** By the number of a call. */
  readonly #resultIds = new Map<number, string>()
  readonly #toolNames = new Map<number, string>()
  readonly #aborted = new Set<Node>()
  /** Texts of prompts, with the position of the last record that has it. */
  readonly #prompts = new Map<number, number>()
  /** The node that was added last. */
  #current: Node | undefined

  constructor(input: PlanInput) {
    this.#input = input
    this.#scope = new Scope(input)
    this.#leaf = findLeaf(this.#scope, linkNodes(this.#scope))
    this.#titles = new Titles((uuid) => this.#scope.positionOfText(uuid) !== undefined)
    this.#timed = new Int32Array(input.records.length)
  }

  plan(): Plan {
    this.#prepare()
    for (const [at, record] of this.#input.records.entries()) {
      for (const usage of this.#input.foreign.before(at)) this.#addUsage(usage, at)
      this.#outcomes.push(this.#addRecord(record, at))
    }
    for (const usage of this.#input.foreign.atEnd()) this.#addUsage(usage, this.#input.records.length - 1)
    this.#addLeaf()
    return { lines: this.#lines, outcomes: this.#outcomes, diagnostics: this.#scope.diagnostics }
  }

  #prepare(): void {
    let timed = -1
    for (const [at, record] of this.#input.records.entries()) {
      if (record.hasTime) timed = at
      this.#timed[at] = timed
      const names = record.callNames
      for (const [order, name] of names.entries()) {
        const id = record.calls[order] ?? 0
        if (!this.#toolNames.has(id)) this.#toolNames.set(id, name)
      }
      if (record.role === "prompt") this.#prompts.set(record.textNumber, at)
    }
    for (const node of this.#scope.nodes) if (firstOf(node).isInterruption) this.#markAborted(node.parent)
  }

  /** The reply that the user interrupted, maybe while its calls ran. */
  #markAborted(above: Node | undefined): void {
    let at = above
    while (at && (at.role === "result" || at.role === "reminder")) at = at.parent
    if (at?.role === "reply") this.#aborted.add(at)
  }

  #addRecord(record: SourceRecord, at: number): Outcome {
    if (this.#scope.copies.has(record)) return "copy"
    if (this.#scope.displaced.has(record))
      return this.#addAside({ type: "kept", id: placeId(record), record }, at, "kept")
    const node = this.#scope.nodeOf[at]
    if (node) return this.#addNode(node, record)
    switch (record.role) {
      case "progress":
      case "skip":
        return "skipped"
      case "damaged":
        return this.#addAside({ type: "damaged", id: idOf(record), record }, at, "kept")
      case "title":
        return this.#addTitle(record, at)
      case "tag":
        return this.#addTag(record, at)
      case "microcompact":
      case "replacement":
      case "refusal":
        return this.#addEdits(record, at)
      default:
        return this.#addAside({ type: "kept", id: idOf(record), record }, at, "kept")
    }
  }

  /** Adds a node and what it hangs on, unless they are there. */
  #addNode(node: Node, record: SourceRecord): Outcome {
    const missing: Node[] = []
    for (let at: Node | undefined = node.mergedInto ?? node; at && at.entryId === undefined; at = at.parent)
      missing.push(at)
    for (const next of missing.reverse()) this.#addEntries(next)
    if (node.role === "queued" && this.#isRepeated(node)) return "kept"
    return node.role === "boundary" && node.records.length === 1 && record.role === "boundary" ? "kept" : "converted"
  }

  #addEntries(node: Node): void {
    const bodies = this.#bodiesOf(node)
    let parentId = this.#endOf(node.parent)
    for (const body of bodies) {
      this.#push(body, parentId, node.at)
      parentId = body.id
    }
    node.entryId = idOf(firstOf(node))
    node.lastId = parentId ?? node.entryId
    this.#current = node
  }

  #bodiesOf(node: Node): LineBody[] {
    const record = firstOf(node)
    const id = idOf(record)
    const bodies = this.#placeChange(node, id)
    node.model = node.parent?.model
    switch (node.role) {
      case "reply":
        return [...bodies, ...this.#modelChange(node, id), this.#replyBody(node, id)]
      case "result":
        return [...bodies, ...this.#resultBodies(record, id)]
      case "boundary":
      case "summary":
        return [...bodies, this.#compactionBody(node, id)]
      case "prompt":
        return [...bodies, { type: "user", id, record }]
      case "queued":
        return [...bodies, { type: this.#isRepeated(node) ? "kept" : "queued", id, record }]
      default:
        return [...bodies, { type: node.role, id, record }]
    }
  }

  /** Whether the prompt that waited stands in the file again, as a line of the user. */
  #isRepeated(node: Node): boolean {
    return (this.#prompts.get(firstOf(node).textNumber) ?? -1) > node.at
  }

  #placeChange(node: Node, id: string): LineBody[] {
    const before = node.parent?.place ?? -1
    const { place } = firstOf(node)
    node.place = place === -1 ? before : place
    const now = this.#input.places[node.place]
    return before === -1 || before === node.place || !now ? [] : [{ type: "place", id: `${id}:cwd`, ...now }]
  }

  #modelChange(node: Node, id: string): LineBody[] {
    const { model } = firstOf(node)
    const before = node.parent?.model
    node.model = model ?? before
    return model === undefined || before === undefined || before === model
      ? []
      : [{ type: "model", id: `${id}:model`, model }]
  }

  #replyBody(node: Node, id: string): LineBody {
    const { usage } = node
    // A copy has no capacity for more.
    const records = node.records.slice()
    return { type: "reply", id, records, usage: usage?.usage, isAborted: this.#aborted.has(node) }
  }

  #resultBodies(record: SourceRecord, id: string): LineBody[] {
    const { calls, hasRest } = record
    const bodies = calls.map((call, block): LineBody => {
      const own = block === 0 ? id : `${id}:${block}`
      if (call !== 0 && !this.#resultIds.has(call)) this.#resultIds.set(call, own)
      return { type: "result", id: own, record, block, toolName: this.#toolNames.get(call) ?? "" }
    })
    return hasRest ? [...bodies, { type: "beside-results", id: `${id}:${calls.length}`, record }] : bodies
  }

  #compactionBody(node: Node, id: string): LineBody {
    const [first, second] = node.records
    if (node.role === "summary" && first)
      return { type: "compaction", id, boundary: undefined, summary: first, firstKept: id }
    if (!first || !second) return { type: "kept", id, record: firstOf(node) }
    return { type: "compaction", id, boundary: first, summary: second, firstKept: this.#firstKept(node) ?? id }
  }

  /** The entry of the first kept message, if the compaction is below it. */
  #firstKept(node: Node): string | undefined {
    const { firstKept } = firstOf(node).rare.boundary ?? {}
    const number = firstKept === undefined ? undefined : this.#scope.positionOfText(firstKept)
    const found = number === undefined ? undefined : this.#scope.nodeOf[number]
    const kept = found?.mergedInto ?? found
    return kept && isBelow(node.parent, kept) ? kept.entryId : undefined
  }

  #addTitle(record: SourceRecord, at: number): Outcome {
    const { title } = record.rare
    const name = title && this.#titles.after(title)
    return name === undefined
      ? this.#addAside({ type: "kept", id: idOf(record), record }, at, "kept")
      : this.#addAside({ type: "title", id: idOf(record), name }, at, "converted")
  }

  #addTag(record: SourceRecord, at: number): Outcome {
    const target = this.#current?.entryId
    return target === undefined
      ? this.#addAside({ type: "kept", id: idOf(record), record }, at, "kept")
      : this.#addAside({ type: "label", id: idOf(record), target, label: record.rare.text ?? "" }, at, "converted")
  }

  /** The line itself is kept, and what it edits follows. */
  #addEdits(record: SourceRecord, at: number): Outcome {
    const id = idOf(record)
    const targets = (record.rare.targets ?? []).map((target) => this.#editTarget(record, target))
    this.#addAside({ type: "kept", id, record }, at, "kept")
    for (const [item, target] of targets.entries()) {
      if (target === undefined) continue
      const content = record.role === "refusal" ? null : { record, item }
      this.#addAside({ type: "edit", id: `${id}:${item + 1}`, target, content }, at, "converted")
    }
    return targets.some((target) => target !== undefined) ? "converted" : "kept"
  }

  #editTarget(record: SourceRecord, target: string): string | undefined {
    if (record.role !== "refusal") return this.#resultIds.get(this.#input.ids.numberOf(target))
    const number = this.#scope.positionOfText(target)
    const node = number === undefined ? undefined : this.#scope.nodeOf[number]
    return (node?.mergedInto ?? node)?.entryId
  }

  #addUsage({ record: { usage }, time }: TimedUsage, at: number): void {
    if (!usage) return
    const timed = time === "" ? this.#timedAt(at) : time
    const id = `usage:${usage.key}`
    this.#lines.push({ type: "usage", id, parentId: this.#endOf(this.#current), timed, usage })
    this.#extend(id)
  }

  /** An entry that is no part of the conversation stands on the way of what was added last. */
  #addAside(body: LineBody, at: number, outcome: Outcome): Outcome {
    this.#push(body, this.#endOf(this.#current), at)
    this.#extend(body.id)
    return outcome
  }

  /** The entry on which hangs what follows a node, or what precedes all nodes. */
  #endOf(node: Node | undefined): string | null {
    return node ? (node.lastId ?? null) : this.#firstAside
  }

  #extend(id: string): void {
    if (this.#current) this.#current.lastId = id
    else this.#firstAside = id
  }

  #addLeaf(): void {
    const leaf = this.#leaf && tailOf(this.#leaf)
    if (!leaf || leaf === this.#current) return
    const parentId = this.#endOf(leaf)
    this.#push({ type: "leaf", id: `leaf:${leaf.entryId ?? ""}` }, parentId, this.#input.records.length - 1)
  }

  #push(body: LineBody, parentId: string | null, at: number): void {
    this.#lines.push({ ...body, parentId, timed: this.#timedAt(at) })
  }

  #timedAt(at: number): SourceRecord | string {
    return this.#input.records[this.#timed[at] ?? -1] ?? this.#input.startTime
  }
}

/** The id of the source; a line without one has its place. */
function idOf(record: SourceRecord): string {
  return record.uuid ?? placeId(record)
}

function placeId({ line, part }: SourceRecord): string {
  return part === 0 ? `line:${line}` : `line:${line}:${part}`
}
