import type { Diagnostic, SessionEntry } from "@treelog/session-core"
import { DAMAGED, PART } from "@treelog/session-core/adapter"
import { objectsIn } from "@treelog-internal/agent-files"
import {
  clientBody,
  customBody,
  type EntryBody,
  editBody,
  keptBody,
  modelBody,
  noticeBody,
  placeBody,
  promptBody,
  promptOf,
  replacementsFor,
  resultBodies,
  sentContent,
  sentNotice,
  sentQueued,
  usageBodies,
  userBody,
} from "../entries/entry-bodies.js"
import { makeReply } from "../entries/make-reply.js"
import { findLeaf } from "../link/find-leaf.js"
import { type Links, linkNodes } from "../link/link-nodes.js"
import { isOpen, Node, setDepth, tailOf } from "../link/node.js"
import { Scope } from "../link/scope.js"
import type { Before } from "../source/before.js"
import { replyDigests } from "../source/reply-digests.js"
import type { Requests } from "../source/requests.js"
import { messageOf, placeId, type SourceRecord } from "../source/source-record.js"
import { Compactions } from "./compactions.js"
import { EntryChain } from "./entry-chain.js"
import type { TimedUsage } from "./foreign-usage.js"
import { type CalledPart, PartOrder, type PartPlace } from "./part-order.js"
import { QueuedPrompts } from "./queued-prompts.js"
import type { QuietPlace } from "./quiet-places.js"
import {
  answeredRecords,
  firstWithoutThoughts,
  hasRenamedCalls,
  isSentReply,
  replyAbove,
  sentBlocks,
  spokenContent,
} from "./sent-replies.js"
import { Titles } from "./titles.js"
import { TurnStates } from "./turn-states.js"
import { UnreadReminders } from "./unread-reminders.js"

/** What a plan is made from. */
export interface PlanInput {
  /** Of one transcript, in file order. */
  readonly records: readonly SourceRecord[]
  /** For entries without a time of their own before the first that has one. */
  readonly startTime: string
  /** The title that counts before those in the records. */
  readonly title?: string | undefined
  /** Responses of sub-agents whose usage counts in this session, by the record before which they stand. */
  readonly foreign: ReadonlyMap<number, readonly TimedUsage[]>
  readonly parts: readonly PartPlace[]
  /** What the entry of a part has. @param toolName of its call */
  readonly partData: (part: CalledPart, toolName: string | undefined) => object
  readonly requests: Requests
  /** What stands before the records. */
  readonly before?: Before | undefined
  /** Where the transcript may go on later. */
  readonly quietPlace?: ((scope: Scope, links: Links) => QuietPlace | undefined) | undefined
}

/** What stands before a quiet place, once its entries were made. */
export interface QuietState {
  readonly at: number
  /** How many entries. */
  readonly entries: number
  readonly before: Before
  /** The parts that have an entry. */
  readonly parts: ReadonlySet<string>
}

/** What became of a record. */
export type Outcome = "converted" | "kept" | "skipped" | "copy"

/** Makes the entries of a transcript, in the order of the file, but parents before their children. */
export class Plan {
  /** By record; complete once the entries were iterated. */
  readonly outcomes: Outcome[] = []
  /** Where the transcript can go on later, once the entries before it were made. */
  quietState: QuietState | undefined
  readonly #input: PlanInput
  readonly #scope: Scope
  readonly #links: Links
  /** Null where the conversation goes on before the first message. */
  readonly #leaf: Node | null | undefined
  readonly #chain: EntryChain
  readonly #compactions: Compactions
  readonly #parts: PartOrder
  readonly #queue: QueuedPrompts
  readonly #reminders: UnreadReminders
  readonly #titles: Titles
  readonly #turns: TurnStates
  /** The tools that calls name, by the id of the call. */
  readonly #tools = new Map<string, string>()
  /** Nodes behind which thoughts of the replies before are left out, and from which response on; of all replies where that is undefined. */
  readonly #thoughtless = new Map<Node, string | undefined>()
  /** The entries of results, by the id of the call. */
  readonly #resultIds = new Map<string, string>()
  readonly #quietPlace: QuietPlace | undefined
  /** The names of parts that have an entry. */
  readonly #addedParts = new Set<string>()

  constructor(input: PlanInput) {
    const { records, startTime, parts, before } = input
    this.#input = input
    this.#scope = new Scope(records, before)
    const start = this.#scope.start?.node
    this.#links = linkNodes(this.#scope)
    this.#leaf = findLeaf(this.#scope)
    this.#chain = new EntryChain(records, startTime, before?.start, start)
    this.#compactions = new Compactions(this.#scope, this.#links)
    this.#parts = new PartOrder(parts, records)
    this.#queue = new QueuedPrompts(records, before?.waiting)
    this.#reminders = new UnreadReminders(this.#scope.nodes, before?.node.isLacking ? start : undefined)
    this.#titles = new Titles((uuid) => this.#scope.positionOf(uuid) !== undefined, before?.titles)
    this.#turns = new TurnStates(this.#scope, before !== undefined)
    this.#quietPlace = input.quietPlace?.(this.#scope, this.#links)
    for (const { calls = [] } of records)
      for (const { id, name } of calls) if (id !== "" && !this.#tools.has(id)) this.#tools.set(id, name)
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#scope.diagnostics
  }

  /** Can be iterated once: each entry is made when it is asked for. */
  *entries(): Generator<SessionEntry> {
    const { records, foreign } = this.#input
    const last = records.length - 1
    let entries = 0
    for (const [at, record] of records.entries()) {
      if (at === this.#quietPlace?.at) this.quietState = this.#stateAt(this.#quietPlace, entries)
      if (record.time !== undefined) this.#addParts(at, record.time)
      for (const { record: used, time } of foreign.get(at) ?? []) this.#addUsages(used, at, "subagent", time)
      this.outcomes.push(this.#addRecord(record, at))
      const made = this.#chain.take()
      entries += made.length
      yield* made
    }
    for (const { record, time } of foreign.get(records.length) ?? []) this.#addUsages(record, last, "subagent", time)
    this.#addParts(last, undefined)
    this.#addSentPrompts()
    yield* this.#chain.take()
    yield* this.#leafMarker(last)
  }

  /** Undefined where another node was begun last, or a prompt has no entry yet. */
  #stateAt({ at, node, uuids, isPinned }: QuietPlace, entries: number): QuietState | undefined {
    const { waiting } = this.#queue
    if (this.#chain.node !== node || !waiting) return undefined
    const { record, model, place, lastId = null } = node
    const isLacking = this.#reminders.isLackingAt(node)
    const before: Before = {
      node: { id: record.id, uuids, lastId, model, place, hasCalls: (node.caller ?? node).hasCalls, isLacking },
      ...{ start: this.#chain.start, time: this.#chain.timeAt(at - 1), titles: this.#titles.state, isPinned, waiting },
    }
    return { at, entries, before, parts: new Set(this.#addedParts) }
  }

  #addRecord(record: SourceRecord, at: number): Outcome {
    if (this.#queue.sends(record, at)) return "converted"
    if (this.#scope.copies.has(record)) return "copy"
    if (this.#scope.displaced.has(record)) return this.#keep(record, at, placeId(record))
    const node = this.#scope.nodeOf[at]
    if (node) return this.#addNode(node, record)
    switch (record.role) {
      case "progress":
      case "skip":
        return "skipped"
      case "damaged":
        this.#chain.add(record.id, customBody(DAMAGED, { ...record.damaged }), at)
        return "kept"
      case "title":
        return this.#addIfAny(record, at, this.#titleBody(record))
      case "tag":
        return this.#addIfAny(record, at, this.#labelBody(record))
      case "replacement":
      case "refusal":
        return this.#addEdits(record, at)
      case "thoughts-out":
        return this.#leaveThoughtsOut(record, at)
      default: {
        // A hook can be written before the call that it hangs on.
        const origin = this.#scope.originOf(record.parent)
        if (origin instanceof Node && origin.at > at) this.#addNode(origin, origin.record)
        return this.#keep(record, at)
      }
    }
  }

  #keep(record: SourceRecord, at: number, id = record.id): Outcome {
    const notice = noticeBody(record)
    this.#chain.add(id, notice ?? keptBody(record), at)
    if (notice) this.#chain.add(`${id}:omitted`, editBody(id, null), at)
    if (record.role === "keep") this.#addUsages(record, at)
    return "kept"
  }

  /** Keeps the record where it becomes no entry of another kind. */
  #addIfAny(record: SourceRecord, at: number, body: EntryBody | undefined): Outcome {
    if (!body) return this.#keep(record, at)
    this.#chain.add(record.id, body, at)
    return "converted"
  }

  #titleBody({ title }: SourceRecord): EntryBody | undefined {
    const name = title && this.#input.title === undefined ? this.#titles.after(title) : undefined
    return name === undefined ? undefined : { type: "session_info", name }
  }

  #labelBody({ value }: SourceRecord): EntryBody | undefined {
    const { node } = this.#chain
    return node && { type: "label", targetId: node.record.id, label: value.tag }
  }

  /** Prompts that the model got with the results before its next reply. */
  #addSentPrompts(): void {
    for (const { record, prompt, at } of this.#queue.takeSent())
      this.#chain.add(record.id, userBody(prompt, this.#chain.millisAt(at)), at)
  }

  /** Adds a node and what it hangs on, unless they are there. */
  #addNode(node: Node, record: SourceRecord): Outcome {
    const missing: Node[] = []
    for (let at: Node | undefined = node.mergedInto ?? node; at && at.lastId === undefined; at = at.parent)
      missing.push(at)
    for (const next of missing.reverse()) this.#addEntries(next)
    return (record.role === "boundary" && isOpen(node)) || (node.role === "queued" && this.#queue.isRepeated(node))
      ? "kept"
      : "converted"
  }

  #addEntries(node: Node): void {
    const { record, role, at, parent } = node
    const { id } = record
    const add = (end: string, body: EntryBody | undefined): void => body && this.#chain.add(id + end, body, at)
    if (role !== "boundary" || this.#links.kept.has(node)) this.#reminders.follow(node)
    this.#chain.begin(node)
    if (role === "reply") this.#addSentPrompts()
    const isBehindOpen = parent !== undefined && isOpen(parent) && !this.#links.kept.has(parent)
    if (isBehindOpen || this.#links.apart.has(node)) add(":reset", { type: "reset_boundary", reason: "missing-parent" })
    add(":compaction", this.#compactions.bodyAbove(node))
    const asked = role === "prompt" || isSentReply(node) ? replyAbove(parent) : undefined
    if (asked) add(":answered", this.#answeredBody(asked))
    node.place = record.place ?? parent?.place
    if (parent?.place && node.place && parent.place !== node.place) add(":cwd", placeBody(node.place))
    node.model = parent?.model
    if (role === "reply") {
      node.model = node.usage?.usage?.model || record.model || node.model
      if (node.model && parent?.model && parent.model !== node.model) add(":model", modelBody(node.model))
    }
    if (role === "result") this.#addResults(record, at)
    else add("", this.#bodyOf(node))
    if (node.usage) this.#addUsages(node.usage, at)
    const sent = this.#sentFor(node)
    if (sent !== undefined) add(":sent", editBody(id, { content: sent }))
    if (record.isApiError || (role === "reply" && !isSentReply(node))) add(":omitted", editBody(id, null))
    setDepth(node)
  }

  /** What the model got for a message, where it got it in other words. */
  #sentFor(node: Node): unknown {
    const { role, record, at } = node
    if (role === "reply") return hasRenamedCalls(node) ? sentBlocks(node.records) : undefined
    if (role === "queued") return this.#queue.isRepeated(node) ? undefined : sentQueued(record, this.#isForUser(node))
    if (role !== "prompt" || record.promptKind !== "notice") return undefined
    const requested: SourceRecord[] = []
    for (let next = at + 1; ; next++) {
      const one = this.#input.records[next]
      if (!one || one.role === "reply")
        return requested.length > 0 ? sentContent(record, requested) : sentNotice(record)
      if (one.kind === "api-request-blob") requested.push(one)
    }
  }

  /** Whether the model at a node gets the client's reminders as words of the user. */
  #isForUser({ model }: Node): boolean {
    return model !== undefined && this.#input.requests.remindersOf(model) === "user"
  }

  #bodyOf(node: Node): EntryBody {
    const { role, record } = node
    const time = this.#chain.millisAt(node.at)
    if (role === "reply") return this.#replyBody(node, time)
    if (role === "boundary" || role === "summary") return this.#compactions.bodyOf(node)
    if (role === "prompt") return promptBody(record, this.#turns.stateOf(node), this.#turns.commands.has(node), time)
    if (role === "queued") return this.#queue.isRepeated(node) ? keptBody(record) : userBody(promptOf(record), time)
    // What a hook said before the call ran.
    const isBeforeResults = node.at < (node.parent?.caller?.results[0]?.at ?? 0)
    return clientBody(record, isBeforeResults && this.#isForUser(node))
  }

  /** A line of a reply whose calls have no result is not sent once something else follows the reply; undefined where it has none. */
  #answeredBody(reply: Node): EntryBody | undefined {
    const sent = answeredRecords(reply)
    if (sent.length === reply.records.length) return undefined
    const hasContent = sent.some(({ hasWords }) => hasWords)
    return editBody(reply.record.id, hasContent ? { content: sentBlocks(sent) } : null)
  }

  #replyBody(node: Node, time: number): EntryBody {
    const values = node.records.map(({ value }) => value)
    const { requests } = this.#input
    const before = requests.isEmpty ? undefined : this.#digestsBefore(node)
    const isLacking = this.#reminders.isLackingAt(node)
    const isRecorded = !isLacking && values.some(({ requestRef }) => requests.has(requestRef, before))
    const isAborted = this.#turns.aborted.has(node)
    const message = makeReply(values, node.usage?.usage, isAborted, time, isRecorded, node.record.hasSharedId)
    const reminders = requests.remindersOf(message.model)
    const isOther = reminders === "user" || reminders === "joined"
    return { type: "message", message: isOther ? { ...message, reminders } : message }
  }

  /** Of the last reply before a node that the client sends; undefined where none is, or a compaction is between. */
  #digestsBefore({ model, parent }: Node): string[] | undefined {
    let at = parent
    while (at && at.role !== "boundary" && !isSentReply(at)) at = at.parent
    if (at?.role !== "reply") return undefined
    const content = at.records.flatMap(({ value }) => objectsIn(messageOf(value).content))
    return replyDigests(content, at.model !== model)
  }

  #addResults(record: SourceRecord, at: number): void {
    const toolOf = (call: string): string => this.#tools.get(call) ?? ""
    const { results, rest } = resultBodies(record, toolOf, this.#chain.millisAt(at))
    const idOf = (block: number): string => (block === 0 ? record.id : `${record.id}:${block}`)
    for (const [block, body] of results.entries()) {
      const call = record.answers?.[block]?.call ?? ""
      if (!this.#resultIds.has(call)) this.#resultIds.set(call, idOf(block))
      this.#chain.add(idOf(block), body, at)
    }
    for (const part of this.#parts.behind(record)) this.#addPart(part, at)
    if (rest) this.#chain.add(idOf(results.length), rest, at)
  }

  /** The line itself is kept, and what it edits follows. */
  #addEdits(record: SourceRecord, at: number): Outcome {
    const targets = (record.targets ?? []).map((target) => this.#editTarget(record, target))
    this.#keep(record, at)
    for (const [item, replacement] of replacementsFor(record).entries()) {
      const target = targets[item]
      if (target !== undefined) this.#chain.add(`${record.id}:${item + 1}`, editBody(target, replacement), at)
    }
    return targets.some((target) => target !== undefined) ? "converted" : "kept"
  }

  /** From here on the client sends no thoughts of the replies before, or of those from one on. */
  #leaveThoughtsOut(record: SourceRecord, at: number): Outcome {
    const origin = this.#scope.originOf(record.parent)
    const replies: Node[] = []
    const from = firstWithoutThoughts(record)
    for (let node = origin instanceof Node ? origin : undefined; node; node = node.caller ?? node.parent) {
      // What stands before has none already: else many such records would become as many edits of each reply.
      if (this.#thoughtless.has(node) && [undefined, from].includes(this.#thoughtless.get(node))) break
      if (node.lastId !== undefined && isSentReply(node)) replies.push(node)
      const isFirst = from !== undefined && node.records.some(({ message }) => message === from)
      if (isFirst || node.role === "boundary") break
    }
    if (origin instanceof Node) this.#thoughtless.set(origin, from)
    this.#keep(record, at)
    for (const reply of replies) {
      const content = spokenContent(answeredRecords(reply))
      if (content) this.#chain.add(`${record.id}:${reply.record.id}`, editBody(reply.record.id, { content }), at)
    }
    return "converted"
  }

  #editTarget({ role }: SourceRecord, target: string): string | undefined {
    if (role !== "refusal") return this.#resultIds.get(target)
    const edited = this.#scope.entryNodeAt(this.#scope.positionOf(target))
    return edited?.lastId === undefined ? undefined : edited.record.id
  }

  /** Adds what a response used, or only what it used beside its own. @param role of the sub-agent whose response it is */
  #addUsages(record: SourceRecord, at: number, role?: string, time?: string): void {
    for (const { id, ...body } of usageBodies(record, role)) this.#chain.add(id, body, at, time)
  }

  /** Adds the parts that began before a time: all, where it is undefined. */
  #addParts(at: number, time: string | undefined): void {
    for (let part = this.#parts.next(time); part; part = this.#parts.next(time)) this.#addPart(part, at)
  }

  #addPart(part: CalledPart, at: number): void {
    this.#addedParts.add(part.name)
    const data = this.#input.partData(part, this.#tools.get(part.call ?? ""))
    this.#chain.add(`part:${part.name}`, customBody(PART, data), at)
  }

  /** Says where the conversation goes on, unless that is the end. */
  *#leafMarker(at: number): Generator<SessionEntry> {
    const leaf = this.#leaf && tailOf(this.#leaf)
    const { node } = this.#chain
    if (leaf === undefined || leaf === node || node === undefined) return
    const place = { id: leaf ? `leaf:${leaf.record.id}` : "leaf", parentId: leaf && this.#chain.endOf(leaf) }
    yield { type: "custom", ...place, timestamp: this.#chain.timeAt(at), customType: "treelog.leaf" } as SessionEntry
  }
}
