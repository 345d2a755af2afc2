import type { Diagnostic } from "@treelog/session-core"
import { findLeaf, OF_CLIENT } from "../link/find-leaf.js"
import type { KeptMessages } from "../link/kept-messages.js"
import { linkNodes } from "../link/link-nodes.js"
import { isBelow, type Node, setDepth, tailOf } from "../link/node.js"
import { Scope } from "../link/scope.js"
import { isCommand } from "../source/prompt-text.js"
import type { SideUsage } from "../source/record-head.js"
import { placeId, type SourceRecord } from "../source/source-record.js"
import type { ForeignUsage, TimedUsage } from "./foreign-usage.js"
import { PartOrder } from "./part-order.js"
import type { PartPlace, PlannedLine, PromptState, RecordLineType } from "./planned-line.js"
import { Titles } from "./titles.js"
import { toolNamesOf } from "./tool-names.js"

/** What a plan is made from. */
export interface PlanInput {
  /** Of one transcript, in file order. */
  readonly records: readonly SourceRecord[]
  /** For entries without a time of their own before the first that has one. */
  readonly startTime: string
  /** Responses of sub-agents whose usage counts in this session, by the record before which they stand. */
  readonly foreign: ForeignUsage
  readonly parts: readonly PartPlace[]
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
    ? Omit<Line, "parentId" | "timestamp">
    : never
  : never

/** An entry of one record. */
function ofRecord(type: RecordLineType, record: SourceRecord, id = record.id): LineBody {
  return { type, id, record }
}

class Planner {
  readonly #input: PlanInput
  readonly #scope: Scope
  /** Null where the conversation goes on before the first message. */
  readonly #leaf: Node | null | undefined
  readonly #kept: ReadonlyMap<Node, KeptMessages>
  readonly #rewound: ReadonlyMap<Node, Node>
  readonly #lines: PlannedLine[] = []
  readonly #outcomes: Outcome[] = []
  readonly #titles: Titles
  /** What precedes the first node hangs here. */
  #firstAside: string | null = null
  /** By position of a record: its time, or that of one before. */
  readonly #times: string[] = []
  /** By call, of those that are edited. */
  readonly #resultIds = new Map<string, string>()
  /** Calls whose results are edited. */
  readonly #edited = new Set<string>()
  readonly #tools: ReadonlyMap<string, string>
  readonly #aborted = new Set<Node>()
  readonly #parts: PartOrder
  /** Commands whose output follows: no reply is to come. */
  readonly #printed = new Set<Node>()
  /** By node: the first reminder that hangs on it beside the conversation. The model got it, and nobody who reads the path does. */
  readonly #besides = new Map<Node, Node>()
  /** Nodes whose path lacks such a reminder. */
  readonly #lacking = new Set<Node>()
  /** Prompts that had no reply when the client ended. */
  readonly #left = new Set<Node>()
  /** The first command, where the user typed nothing else. */
  #command: SourceRecord | undefined
  /** Nodes between interruptions and the replies that they interrupted. */
  readonly #passed = new Set<Node>()
  /** Texts of prompts, with the position of the last record that has it. */
  readonly #prompts = new Map<string, number>()
  /** On which the next entry of the node that is being added hangs. */
  #parentId: string | null = null
  /** The node that was added last. */
  #current: Node | undefined

  constructor(input: PlanInput) {
    this.#input = input
    this.#scope = new Scope(input.records)
    const { origins, kept, rewound } = linkNodes(this.#scope)
    this.#leaf = findLeaf(this.#scope, origins)
    this.#kept = kept
    this.#rewound = rewound
    this.#titles = new Titles((uuid) => this.#scope.positionOf(uuid) !== undefined)
    this.#tools = toolNamesOf(input.records)
    this.#parts = new PartOrder(input.parts, input.records)
  }

  plan(): Plan {
    this.#prepare()
    for (const [at, record] of this.#input.records.entries()) {
      this.#addParts(at, record.time)
      for (const usage of this.#input.foreign.before(at)) this.#addUsage(usage, at)
      this.#outcomes.push(this.#addRecord(record, at))
    }
    for (const usage of this.#input.foreign.atEnd()) this.#addUsage(usage, this.#input.records.length - 1)
    this.#addParts(this.#input.records.length - 1, undefined)
    this.#addLeaf()
    return { lines: this.#lines, outcomes: this.#outcomes, diagnostics: this.#scope.diagnostics }
  }

  #prepare(): void {
    let last = this.#input.startTime
    for (const [at, { role, time, text, targets = [] }] of this.#input.records.entries()) {
      last = time ?? last
      this.#times.push(last)
      if (role === "prompt" && text !== undefined) this.#prompts.set(text, at)
      if (role === "microcompact" || role === "replacement") for (const call of targets) this.#edited.add(call)
    }
    for (const { record, parent } of this.#scope.nodes) {
      if (record.promptKind === "interruption") this.#markAborted(parent)
      if (record.promptKind === "output" && parent) this.#printed.add(parent)
      if (isCommand(record.promptKind)) this.#command ??= record
    }
    const passed = new Set<Node>()
    for (const { record, parent } of this.#scope.nodes) if (record.promptKind === "exit") this.#markLeft(parent, passed)
    if (this.#scope.nodes.some(isTyped)) this.#command = undefined
    this.#findBesides()
  }

  #findBesides(): void {
    const { nodes } = this.#scope
    /** Nodes on which the conversation goes on. */
    const above = new Set<Node>()
    for (let at = nodes.length - 1; at >= 0; at--) {
      const { role, parent } = nodes[at] as Node
      if (parent && (!OF_CLIENT.has(role) || above.has(nodes[at] as Node))) above.add(parent)
    }
    for (const node of nodes) {
      const { role, parent } = node
      if (role !== "reminder" || above.has(node) || !parent || !above.has(parent)) continue
      if (!this.#besides.has(parent)) this.#besides.set(parent, node)
    }
  }

  /** The reply that the user interrupted, maybe while its calls ran. */
  #markAborted(above: Node | undefined): void {
    let at = above
    for (
      ;
      at && (at.role === "result" || at.role === "reminder" || at.role === "local-command") && !this.#passed.has(at);
      at = at.parent
    )
      this.#passed.add(at)
    if (at?.role === "reply") this.#aborted.add(at)
  }

  /** The prompt that had no reply when the client ended. */
  #markLeft(above: Node | undefined, passed: Set<Node>): void {
    for (let at = above; at && (at.role === "prompt" || OF_CLIENT.has(at.role)) && !passed.has(at); at = at.parent) {
      passed.add(at)
      if (at.role !== "prompt" || this.#stateOf(at) !== "waits") continue
      this.#left.add(at)
      return
    }
  }

  #addRecord(record: SourceRecord, at: number): Outcome {
    if (this.#scope.copies.has(record)) return "copy"
    if (this.#scope.displaced.has(record)) return this.#addAside(ofRecord("kept", record, placeId(record)), at, "kept")
    const node = this.#scope.nodeOf[at]
    if (node) return this.#addNode(node, record)
    switch (record.role) {
      case "progress":
      case "skip":
        return "skipped"
      case "damaged":
        return this.#addAside(ofRecord("damaged", record), at, "kept")
      case "title":
        return this.#addTitle(record, at)
      case "tag":
        return this.#addTag(record, at)
      case "microcompact":
      case "replacement":
      case "refusal":
        return this.#addEdits(record, at)
      default:
        return this.#addAside(ofRecord("kept", record), at, "kept")
    }
  }

  /** Adds a node and what it hangs on, unless they are there. */
  #addNode(node: Node, record: SourceRecord): Outcome {
    const missing: Node[] = []
    for (let at: Node | undefined = node.mergedInto ?? node; at && at.lastId === undefined; at = at.parent)
      missing.push(at)
    for (const next of missing.reverse()) this.#addEntries(next)
    if (node.role === "queued" && this.#isRepeated(node)) return "kept"
    return node.role === "boundary" && node.records.length === 1 && record.role === "boundary" ? "kept" : "converted"
  }

  #addEntries(node: Node): void {
    const { record, parent } = node
    const beside = parent && this.#besides.get(parent)
    const isLacking = (parent && this.#lacking.has(parent)) || (beside && beside.at < node.at && beside !== node)
    if (isLacking && (node.role !== "boundary" || this.#kept.has(node))) this.#lacking.add(node)
    this.#parentId = this.#endOf(parent)
    this.#addSummaryAgain(node, record)
    this.#addPlaceChange(node, record)
    node.model = node.parent?.model
    this.#addBodies(node, record)
    setDepth(node)
    node.lastId = this.#parentId ?? record.id
    this.#current = node
  }

  /** The summary of the compaction that kept what a node hangs on, which stands behind those messages as well. */
  #addSummaryAgain(node: Node, record: SourceRecord): void {
    const boundary = this.#rewound.get(node)
    const [first, summary] = boundary?.records ?? []
    const firstKept = boundary && this.#firstKept(boundary, node.parent)
    if (first && summary && firstKept !== undefined)
      this.#chain({ type: "compaction", id: `${record.id}:compaction`, boundary: first, summary, firstKept }, node.at)
  }

  #addBodies(node: Node, record: SourceRecord): void {
    if (node.role === "reply") this.#addModelChange(node, record)
    if (node.role === "result") this.#addResults(record, node.at)
    else this.#chain(this.#bodyOf(node, record), node.at)
    for (const usage of sideUsages(node.usage)) this.#chain(usage, node.at)
    const sent = this.#sentFor(node)
    const { id } = record
    if (sent) this.#chain({ type: "sent", id: `${id}:sent`, target: id, record, sent }, node.at)
    if (record.isApiError) this.#chain({ type: "edit", id: `${id}:omitted`, target: id, content: null }, node.at)
  }

  /**
   * What the model got for a message in other words: its own record has them, or one of the messages of a request that were recorded before the
   * next reply.
   */
  #sentFor({ role, record, at }: Node): readonly SourceRecord[] | undefined {
    if (role === "queued") return record.isRendered ? [record] : undefined
    if (role !== "prompt" || record.promptKind !== "notice") return undefined
    const { records } = this.#input
    const sent: SourceRecord[] = []
    for (let next = at + 1; next < records.length && records[next]?.role !== "reply"; next++)
      if (records[next]?.kind === "api-request-blob") sent.push(records[next] as SourceRecord)
    return sent.length > 0 ? sent : undefined
  }

  #bodyOf(node: Node, record: SourceRecord): LineBody {
    switch (node.role) {
      case "reply":
        return this.#replyBody(node, record)
      case "boundary":
      case "summary":
        return this.#compactionBody(node, record)
      case "prompt":
        return { type: "user", id: record.id, record, state: this.#stateOf(node), isFirst: record === this.#command }
      case "queued":
        return ofRecord(this.#isRepeated(node) ? "kept" : "queued", record)
      case "meta":
      case "reminder":
      case "local-command":
        return ofRecord(node.role, record)
      default:
        return ofRecord("kept", record)
    }
  }

  #stateOf(node: Node): PromptState {
    if (this.#left.has(node)) return "left"
    const { promptKind } = node.record
    return promptKind === "output" || promptKind === "exit" || this.#printed.has(node) ? "done" : "waits"
  }

  /** Adds an entry behind the one that was added last for the same node. */
  #chain(body: LineBody, at: number): void {
    this.#push(body, this.#parentId, at)
    this.#parentId = body.id
  }

  /** Whether the prompt that waited stands in the file again, as a line of the user. */
  #isRepeated(node: Node): boolean {
    return (this.#prompts.get(node.record.text ?? "") ?? -1) > node.at
  }

  #addPlaceChange(node: Node, record: SourceRecord): void {
    const before = node.parent?.place
    node.place = record.place ?? before
    if (before && node.place && before !== node.place)
      this.#chain({ type: "place", id: `${record.id}:cwd`, ...node.place }, node.at)
  }

  #addModelChange(node: Node, record: SourceRecord): void {
    const model = node.usage?.usage?.model || record.model
    const before = node.parent?.model
    node.model = model ?? before
    if (model !== undefined && before !== undefined && before !== model)
      this.#chain({ type: "model", id: `${record.id}:model`, model }, node.at)
  }

  #replyBody(node: Node, { id }: SourceRecord): LineBody {
    const { records, usage } = node
    return { type: "reply", id, records, usage, isAborted: this.#aborted.has(node), isLacking: this.#lacking.has(node) }
  }

  #addResults(record: SourceRecord, at: number): void {
    const { answers = [] } = record
    for (const [block, { call = "" }] of answers.entries()) {
      const id = block === 0 ? record.id : `${record.id}:${block}`
      if (this.#edited.has(call) && !this.#resultIds.has(call)) this.#resultIds.set(call, id)
      this.#chain({ type: "result", id, record, block, toolName: this.#tools.get(call) ?? "" }, at)
    }
    for (const { part, call } of this.#parts.behind(record)) this.#chain(this.#partBody(part, call), at)
    if (record.hasRest) this.#chain(ofRecord("beside-results", record, `${record.id}:${answers.length}`), at)
  }

  #compactionBody(node: Node, record: SourceRecord): LineBody {
    const { id } = record
    const [first, second] = node.records
    if (node.role === "summary" && first)
      return { type: "compaction", id, boundary: undefined, summary: first, firstKept: id }
    if (!first || !second) return ofRecord("kept", record)
    if (this.#kept.has(node) && first.boundary?.keepsBefore)
      return { type: "branch-summary", id, boundary: first, summary: second, from: this.#lastBefore(node) }
    const firstKept = this.#firstKept(node, node.parent) ?? id
    return { type: "compaction", id, boundary: first, summary: second, firstKept }
  }

  /** The entry of the first message that a compaction kept, if the end of a path is below it. */
  #firstKept(node: Node, end: Node | undefined): string | undefined {
    const number = this.#kept.get(node)?.first ?? this.#scope.positionOf(node.record.boundary?.firstKept)
    // The first record that is kept may be one that becomes no entry.
    for (let at = number ?? node.at; at < node.at; at++) {
      const found = this.#scope.nodeOf[at]
      const kept = found?.mergedInto ?? found
      if (kept?.lastId !== undefined && isBelow(end, kept)) return kept.record.id
    }
    return undefined
  }

  /** The end of what a summary replaces: the last message before it. */
  #lastBefore({ at, record }: Node): string {
    for (let number = at - 1; number >= 0; number--) {
      const node = this.#scope.nodeOf[number]
      if (node?.lastId !== undefined) return node.lastId
    }
    return record.id
  }

  #addTitle(record: SourceRecord, at: number): Outcome {
    const { title } = record
    const name = title && this.#titles.after(title)
    return name === undefined
      ? this.#addAside(ofRecord("kept", record), at, "kept")
      : this.#addAside({ type: "title", id: record.id, name }, at, "converted")
  }

  #addTag(record: SourceRecord, at: number): Outcome {
    const target = this.#current?.record.id
    return target === undefined
      ? this.#addAside(ofRecord("kept", record), at, "kept")
      : this.#addAside({ type: "label", id: record.id, target, label: record.text ?? "" }, at, "converted")
  }

  /** The line itself is kept, and what it edits follows. */
  #addEdits(record: SourceRecord, at: number): Outcome {
    const targets = (record.targets ?? []).map((target) => this.#editTarget(record, target))
    this.#addAside(ofRecord("kept", record), at, "kept")
    for (const [item, target] of targets.entries()) {
      if (target === undefined) continue
      const content = record.role === "refusal" ? null : { record, item }
      this.#addAside({ type: "edit", id: `${record.id}:${item + 1}`, target, content }, at, "converted")
    }
    return targets.some((target) => target !== undefined) ? "converted" : "kept"
  }

  #editTarget(record: SourceRecord, target: string): string | undefined {
    if (record.role !== "refusal") return this.#resultIds.get(target)
    const number = this.#scope.positionOf(target)
    const node = number === undefined ? undefined : this.#scope.nodeOf[number]
    const edited = node?.mergedInto ?? node
    return edited?.lastId === undefined ? undefined : edited.record.id
  }

  #addUsage({ record, time }: TimedUsage, at: number): void {
    const { usage } = record
    if (!usage) return
    const timestamp = time === "" ? this.#timeAt(at) : time
    for (const line of [{ type: "usage" as const, id: `usage:${usage.key}`, usage }, ...sideUsages(record)]) {
      this.#lines.push({ ...line, role: "subagent", parentId: this.#endOf(this.#current), timestamp })
      this.#extend(line.id)
    }
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

  /** Adds the parts that began before a time: all, where it is undefined. */
  #addParts(at: number, time: string | undefined): void {
    const isLast = at === this.#input.records.length - 1
    if (time === undefined && !isLast) return
    for (let part = this.#parts.next(time); part; part = this.#parts.next(time))
      this.#addAside(this.#partBody(part, part.call), Math.max(0, at), "converted")
  }

  #partBody(part: PartPlace, call: string | undefined): LineBody {
    return { type: "part", id: `part:${part.name}`, part, call, toolName: this.#tools.get(call ?? "") }
  }

  #addLeaf(): void {
    const leaf = this.#leaf && tailOf(this.#leaf)
    if (leaf === undefined || leaf === this.#current || this.#current === undefined) return
    const id = leaf ? `leaf:${leaf.record.id}` : "leaf"
    this.#push({ type: "leaf", id }, leaf && this.#endOf(leaf), this.#input.records.length - 1)
  }

  #push(body: LineBody, parentId: string | null, at: number): void {
    this.#lines.push({ ...body, parentId, timestamp: this.#timeAt(at) } as PlannedLine)
  }

  #timeAt(at: number): string {
    return this.#times[at] ?? this.#input.startTime
  }
}

/** Usage that a response reports beside its own. */
function sideUsages(record: SourceRecord | undefined): { type: "usage"; id: string; usage: SideUsage }[] {
  const { key } = record?.usage ?? {}
  const usages = record?.sideUsages ?? []
  return usages.map((usage, at) => ({ type: "usage", id: `usage:${key}:${at + 1}`, usage }))
}

/** Whether the user typed it: a prompt, or a line for the shell. */
function isTyped({ role, record: { promptKind } }: Node): boolean {
  return role === "prompt" && (promptKind === "typed" || promptKind === "shell")
}
