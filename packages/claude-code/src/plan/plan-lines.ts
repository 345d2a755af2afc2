import type { Diagnostic, SessionEntry } from "@treelog/session-core"
import { DAMAGED, PART } from "@treelog/session-core/adapter"
import {
  besideResultsBody,
  branchSummaryBody,
  compactionBody,
  customBody,
  type EntryBody,
  keptBody,
  localCommandBody,
  metaBody,
  modelBody,
  type PromptState,
  placeBody,
  promptBody,
  promptOf,
  queuedBody,
  reminderBody,
  replacementsFor,
  resultBodies,
  sentContent,
  usageBody,
} from "../entries/entry-bodies.js"
import { makeReply } from "../entries/make-reply.js"
import { findLeaf, OF_CLIENT } from "../link/find-leaf.js"
import type { KeptMessages } from "../link/kept-messages.js"
import { linkNodes } from "../link/link-nodes.js"
import { isBelow, type Node, setDepth, tailOf } from "../link/node.js"
import { Scope } from "../link/scope.js"
import { isCommand, promptText } from "../source/prompt-text.js"
import type { ResponseUsage } from "../source/record-head.js"
import { messageOf, placeId, type SourceRecord } from "../source/source-record.js"
import type { ForeignUsage, TimedUsage } from "./foreign-usage.js"
import { type CalledPart, PartOrder, type PartPlace } from "./part-order.js"
import { PromptQueue } from "./prompt-queue.js"
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
  /** What the entry of a part has. @param toolName of its call */
  readonly partData: (part: CalledPart, toolName: string | undefined) => object
  /** Ids of the requests that the file has. */
  readonly requests: ReadonlySet<string>
}

/** What became of a record. */
export type Outcome = "converted" | "kept" | "skipped" | "copy"

const NO_REQUESTS: ReadonlySet<string> = /* @__PURE__ */ new Set()

/** Makes the entries of a transcript, in the order of the file, but parents before their children. */
export class Plan {
  readonly #input: PlanInput
  readonly #scope: Scope
  /** Null where the conversation goes on before the first message. */
  readonly #leaf: Node | null | undefined
  readonly #kept: ReadonlyMap<Node, KeptMessages>
  readonly #rewound: ReadonlyMap<Node, Node>
  /** Those that were not taken yet. */
  readonly #entries: SessionEntry[] = []
  /** By record; complete once the entries were iterated. */
  readonly outcomes: Outcome[] = []
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
  /** Commands that count as prompts: those that went to the model, and the first where the user typed nothing else. */
  readonly #commands = new Set<Node>()
  /** Nodes between interruptions and the replies that they interrupted. */
  readonly #passed = new Set<Node>()
  /** By position of a record: how many lines of replies were before it. What was sent with the same request has the same number. */
  readonly #replies: number[] = []
  /** Of prompts, also of those that waited: the position of the last record that has the text, by request and text. */
  readonly #prompts = new Map<string, number>()
  readonly #queue = new PromptQueue()
  /** Prompts that left the queue and stand nowhere else: the model got them with the results before its next reply. */
  readonly #unqueued: { readonly record: SourceRecord; readonly prompt: string; readonly at: number }[] = []
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

  get diagnostics(): readonly Diagnostic[] {
    return this.#scope.diagnostics
  }

  /** Can be iterated once: each entry is made when it is asked for. */
  *entries(): Generator<SessionEntry> {
    this.#prepare()
    for (const [at, record] of this.#input.records.entries()) {
      this.#addParts(at, record.time)
      for (const usage of this.#input.foreign.before(at)) this.#addUsage(usage, at)
      this.outcomes.push(this.#addRecord(record, at))
      yield* this.#entries.splice(0)
    }
    for (const usage of this.#input.foreign.atEnd()) this.#addUsage(usage, this.#input.records.length - 1)
    this.#addParts(this.#input.records.length - 1, undefined)
    this.#addUnqueued((body, { id }, at) => this.#addAside(id, body, at, "converted"))
    this.#addLeaf()
    yield* this.#entries
  }

  #prepare(): void {
    let last = this.#input.startTime
    let copied: SourceRecord | undefined
    for (const [at, record] of this.#input.records.entries()) {
      const { role, time, text, uuid, id, targets = [] } = record
      if (uuid !== undefined && uuid !== id) copied = record
      last = time ?? last
      this.#times.push(last)
      this.#replies.push((this.#replies.at(-1) ?? 0) + (role === "reply" ? 1 : 0))
      if (text !== undefined) this.#prompts.set(this.#sentAs(at, text), at)
      if (role === "microcompact" || role === "replacement") for (const call of targets) this.#edited.add(call)
    }
    for (const node of this.#scope.nodes) {
      const { record, parent } = node
      // The last line that a fork copied under a new id has the time of the fork, so that nothing shows whose copy it is.
      if (record === copied) node.usage = undefined
      if (record.promptKind === "interruption") this.#markAborted(parent)
      if (record.promptKind === "output" && parent) this.#printed.add(parent)
    }
    const passed = new Set<Node>()
    for (const { record, parent } of this.#scope.nodes) if (record.promptKind === "exit") this.#markLeft(parent, passed)
    this.#findCommands()
    this.#findBesides()
  }

  #findCommands(): void {
    const { nodes } = this.#scope
    const commands = nodes.filter(({ record }) => isCommand(record.promptKind))
    for (const node of commands) if (hasArguments(node) && this.#isExpanded(node)) this.#commands.add(node)
    const [first] = commands
    if (first && this.#commands.size === 0 && !nodes.some(isTyped)) this.#commands.add(first)
  }

  /** Whether the text that a command stands for follows it: the model got that, and nothing was printed. */
  #isExpanded({ at }: Node): boolean {
    let next = at + 1
    while (this.#input.records[next]?.text?.trim() === EMPTY_OUTPUT) next += 1
    const record = this.#input.records[next]
    return record?.role === "meta" && promptText(messageOf(record.value).content).kind === "typed"
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
    const prompt = this.#queue.after(record)
    if (prompt !== undefined && !this.#prompts.has(this.#sentAs(at, prompt))) {
      this.#unqueued.push({ record, prompt, at })
      return "converted"
    }
    if (this.#scope.copies.has(record)) return "copy"
    if (this.#scope.displaced.has(record)) return this.#addKept(record, at, placeId(record))
    const node = this.#scope.nodeOf[at]
    if (node) return this.#addNode(node, record)
    switch (record.role) {
      case "progress":
      case "skip":
        return "skipped"
      case "damaged":
        return this.#addAside(record.id, customBody(DAMAGED, { ...record.damaged }), at, "kept")
      case "title":
        return this.#addTitle(record, at)
      case "tag":
        return this.#addTag(record, at)
      case "microcompact":
      case "replacement":
      case "refusal":
        return this.#addEdits(record, at)
      default:
        return this.#addKept(record, at)
    }
  }

  #addUnqueued(add: (body: EntryBody, record: SourceRecord, at: number) => void): void {
    for (const { record, prompt, at } of this.#unqueued.splice(0))
      add(queuedBody(prompt, this.#millisAt(at)), record, at)
  }

  #addKept(record: SourceRecord, at: number, id = record.id): Outcome {
    return this.#addAside(id, keptBody(record), at, "kept")
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
    if (node.role === "reply") this.#addUnqueued((body, { id }, at) => this.#chain(id, body, at))
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
      this.#chain(`${record.id}:compaction`, compactionBody(first, summary, firstKept), node.at)
  }

  #addBodies(node: Node, record: SourceRecord): void {
    if (node.role === "reply") this.#addModelChange(node, record)
    if (node.role === "result") this.#addResults(record, node.at)
    else this.#chain(record.id, this.#bodyOf(node, record), node.at)
    for (const { id, usage } of sideUsages(node.usage)) this.#chain(id, usageBody(usage), node.at)
    const sent = this.#sentFor(node)
    const { id } = record
    if (sent)
      this.#chain(
        `${id}:sent`,
        { type: "context_edit", targetId: id, replacement: { content: sentContent(record, sent) } },
        node.at,
      )
    if (record.isApiError)
      this.#chain(`${id}:omitted`, { type: "context_edit", targetId: id, replacement: null }, node.at)
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

  #bodyOf(node: Node, record: SourceRecord): EntryBody {
    const time = this.#millisAt(node.at)
    switch (node.role) {
      case "reply":
        return this.#replyBody(node, time)
      case "boundary":
      case "summary":
        return this.#compactionBody(node, record)
      case "prompt":
        return promptBody(record, this.#stateOf(node), this.#commands.has(node), time)
      case "queued":
        return this.#isRepeated(node) ? keptBody(record) : queuedBody(promptOf(record), time)
      case "meta":
        return metaBody(record)
      case "reminder":
        return reminderBody(record)
      case "local-command":
        return localCommandBody(record)
      default:
        return keptBody(record)
    }
  }

  #stateOf(node: Node): PromptState {
    if (this.#left.has(node)) return "left"
    const { promptKind } = node.record
    return promptKind === "output" || promptKind === "exit" || this.#printed.has(node) ? "done" : "waits"
  }

  /** Adds an entry behind the one that was added last for the same node. */
  #chain(id: string, body: EntryBody, at: number): void {
    this.#push(id, body, this.#parentId, this.#timeAt(at))
    this.#parentId = id
  }

  /** Whether the prompt that waited stands in the file again, as a line of the user. */
  #isRepeated({ at, record: { text = "" } }: Node): boolean {
    return (this.#prompts.get(this.#sentAs(at, text)) ?? -1) > at
  }

  #sentAs(at: number, text: string): string {
    return `${this.#replies[at]} ${text.trim()}`
  }

  #addPlaceChange(node: Node, record: SourceRecord): void {
    const before = node.parent?.place
    node.place = record.place ?? before
    if (before && node.place && before !== node.place) this.#chain(`${record.id}:cwd`, placeBody(node.place), node.at)
  }

  #addModelChange(node: Node, record: SourceRecord): void {
    const model = node.usage?.usage?.model || record.model
    const before = node.parent?.model
    node.model = model ?? before
    if (model !== undefined && before !== undefined && before !== model)
      this.#chain(`${record.id}:model`, modelBody(model), node.at)
  }

  #replyBody(node: Node, time: number): EntryBody {
    const values = node.records.map(({ value }) => value)
    const requests = this.#lacking.has(node) ? NO_REQUESTS : this.#input.requests
    const message = makeReply(values, node.usage?.usage, this.#aborted.has(node), time, requests)
    return { type: "message", message }
  }

  #addResults(record: SourceRecord, at: number): void {
    const { answers = [] } = record
    const bodies = resultBodies(record, (call) => this.#tools.get(call) ?? "", this.#millisAt(at))
    for (const [block, body] of bodies.entries()) {
      const call = answers[block]?.call ?? ""
      const id = block === 0 ? record.id : `${record.id}:${block}`
      if (this.#edited.has(call) && !this.#resultIds.has(call)) this.#resultIds.set(call, id)
      this.#chain(id, body, at)
    }
    for (const part of this.#parts.behind(record)) this.#chain(partId(part), this.#partBody(part), at)
    if (record.hasRest) this.#chain(`${record.id}:${answers.length}`, besideResultsBody(record, this.#millisAt(at)), at)
  }

  #compactionBody(node: Node, record: SourceRecord): EntryBody {
    const { id } = record
    const [first, second] = node.records
    if (node.role === "summary" && first) return compactionBody(undefined, first, id)
    if (!first || !second) return keptBody(record)
    if (this.#kept.has(node) && first.boundary?.keepsBefore)
      return branchSummaryBody(first, second, this.#lastBefore(node))
    return compactionBody(first, second, this.#firstKept(node, node.parent) ?? id)
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
      ? this.#addKept(record, at)
      : this.#addAside(record.id, { type: "session_info", name }, at, "converted")
  }

  #addTag(record: SourceRecord, at: number): Outcome {
    const target = this.#current?.record.id
    return target === undefined
      ? this.#addKept(record, at)
      : this.#addAside(record.id, { type: "label", targetId: target, label: record.text ?? "" }, at, "converted")
  }

  /** The line itself is kept, and what it edits follows. */
  #addEdits(record: SourceRecord, at: number): Outcome {
    const targets = (record.targets ?? []).map((target) => this.#editTarget(record, target))
    this.#addKept(record, at)
    for (const [item, replacement] of replacementsFor(record).entries()) {
      const targetId = targets[item]
      if (targetId === undefined) continue
      this.#addAside(`${record.id}:${item + 1}`, { type: "context_edit", targetId, replacement }, at, "converted")
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
    const { key, usage } = record
    if (!usage) return
    const timestamp = time === "" ? this.#timeAt(at) : time
    for (const one of [{ id: `usage:${key}`, usage }, ...sideUsages(record)]) {
      this.#push(one.id, usageBody(one.usage, "subagent"), this.#endOf(this.#current), timestamp)
      this.#extend(one.id)
    }
  }

  /** An entry that is no part of the conversation stands on the way of what was added last. */
  #addAside(id: string, body: EntryBody, at: number, outcome: Outcome): Outcome {
    this.#push(id, body, this.#endOf(this.#current), this.#timeAt(at))
    this.#extend(id)
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
    for (let part = this.#parts.next(time); part; part = this.#parts.next(time)) {
      const called = { part, call: part.call }
      this.#addAside(partId(called), this.#partBody(called), Math.max(0, at), "converted")
    }
  }

  #partBody(part: CalledPart): EntryBody {
    return customBody(PART, this.#input.partData(part, this.#tools.get(part.call ?? "")))
  }

  #addLeaf(): void {
    const leaf = this.#leaf && tailOf(this.#leaf)
    if (leaf === undefined || leaf === this.#current || this.#current === undefined) return
    const id = leaf ? `leaf:${leaf.record.id}` : "leaf"
    this.#push(id, customBody("treelog.leaf"), leaf && this.#endOf(leaf), this.#timeAt(this.#input.records.length - 1))
  }

  #push(id: string, body: EntryBody, parentId: string | null, timestamp: string): void {
    const { type, ...fields } = body
    this.#entries.push({ type, id, parentId, timestamp, ...fields } as SessionEntry)
  }

  /** Milliseconds since 1970; 0 where the time cannot be read. */
  #millisAt(at: number): number {
    return Date.parse(this.#timeAt(at)) || 0
  }

  #timeAt(at: number): string {
    return this.#times[at] ?? this.#input.startTime
  }
}

/** Usage that a response reports beside its own. */
function sideUsages({ key, sideUsages = [] }: Partial<SourceRecord> = {}): { id: string; usage: ResponseUsage }[] {
  return sideUsages.map((usage, at) => ({ id: `usage:${key}:${at + 1}`, usage }))
}

/** Whether the user typed it: a prompt, or a line for the shell. */
function isTyped({ role, record: { promptKind } }: Node): boolean {
  return role === "prompt" && (promptKind === "typed" || promptKind === "shell")
}

const EMPTY_OUTPUT = "<local-command-stdout></local-command-stdout>"

function hasArguments({ record }: Node): boolean {
  return promptText(messageOf(record.value).content).text.includes(" ")
}

function partId({ part }: CalledPart): string {
  return `part:${part.name}`
}
