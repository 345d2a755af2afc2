import { contentText, type Diagnostic, type SessionHeader } from "@treelog/session-core"
import { DAMAGED, type Line } from "@treelog/session-core/adapter"
import {
  type ConversionReport,
  countIn,
  hasTokens,
  type Json,
  objectIn,
  type RecordOutcome,
  ReportCounter,
  recordsIn,
  type SourceRecord,
  textIn,
  without,
} from "@treelog-internal/agent-files"
import { type RolloutLine, rolloutLine } from "../rollout/rollout-line.js"
import { isFromStart } from "./copied-items.js"
import { contentBlocks, spokenItem } from "./item-content.js"
import { addItem } from "./item-entries.js"
import { canonicalJson } from "./item-id.js"
import { CALL_EVENTS, KEPT_KINDS, kindOfLine, SKIPPED, SKIPPED_KINDS } from "./line-kinds.js"
import { addPart, startedIn } from "./opened-threads.js"
import { PathState } from "./path-state.js"
import { type ItemHash, millis, PathWriter, type SavedWriter } from "./path-writer.js"
import { historyText, joinedHistory, joinedText, legacyHistory } from "./replacement-history.js"
import { SeenTexts } from "./seen-texts.js"
import type { ThreadStep } from "./thread-plan.js"
import { fitsIn, type TokenCounts, tokenCounts, tokensUsed, usageOf, withTotal } from "./usage.js"
import { isSummary } from "./user-text.js"

/** What the lines so far have said, beside what their path knows. */
interface Known {
  /** Items of the file. */
  items: number
  /** How many items at the start of the file were copied, if that is known. */
  copiedItems?: number | undefined
  /** Whether the file began with the lines of another thread. */
  isCopy: boolean
  isHeaderSeen: boolean
  hasUsage: boolean
  /** Those whose usage was recorded. */
  responses: SeenTexts
  /** The threads of reviews. */
  reviews: SeenTexts
}

/** What is known of the lines before a place, as plain JSON. */
export interface SavedThread extends Partial<Omit<Known, "responses" | "reviews">> {
  readonly responses?: string
  readonly reviews?: string
  readonly writer?: SavedWriter
}

/** Converts the lines of a thread, file after file, to entries. It does no I/O: the caller passes the lines of each step in order. */
export class ThreadConverter {
  readonly #writer: PathWriter
  readonly #counter = new ReportCounter()
  /** The file whose head is the header. */
  readonly #headerFile: string
  readonly #id: string
  /** Whether the name is known from elsewhere, which is newer than those among the lines. */
  readonly #isNamed: boolean
  /** The path at the places where other files go on. */
  readonly #cuts = new Map<string, PathState>()
  #step: ThreadStep | undefined
  #waiting: number[] = []
  readonly #known: Known = {
    items: 0,
    isCopy: false,
    isHeaderSeen: false,
    hasUsage: false,
    responses: new SeenTexts(),
    reviews: new SeenTexts(),
  }
  #torn: readonly Diagnostic[] = []
  #ordinal: number | undefined

  /**
   * @param headerFile the name of the file whose head the header is made of
   * @param hash for entries that are not kept, a cheaper one
   */
  constructor(header: SessionHeader, headerFile: string, hash?: ItemHash) {
    this.#headerFile = headerFile
    this.#id = header.id
    this.#isNamed = header.title !== undefined
    this.#writer = new PathWriter(new PathState(header.id, "openai"), header.timestamp, hash)
  }

  get report(): ConversionReport {
    return this.#counter.result(this.#torn, this.#known.hasUsage)
  }

  /** Whether a line answers, takes back or repeats what stands before the first one. */
  get isLacking(): boolean {
    return this.#writer.isLacking
  }

  /** What it knows of the lines so far, as plain JSON. */
  get saved(): SavedThread {
    const { responses, reviews, ...known } = this.#known
    return { ...known, responses: responses.saved, reviews: reviews.saved, writer: this.#writer.saved }
  }

  /** Goes on within a file, where this is known of the lines before. */
  goOn({ responses, reviews, writer = {}, ...known }: SavedThread): void {
    Object.assign(this.#known, known, { responses: new SeenTexts(responses), reviews: new SeenTexts(reviews) })
    this.#writer.restore(writer)
  }

  /** Begins with the lines of another file. @param copiedItems how many items at its start were copied, if that is known */
  begin(step: ThreadStep, copiedItems?: number): void {
    this.#endPath()
    if (this.#torn.length > 0) this.#counter.torn(this.#torn)
    const { start, file, missingBase } = step
    const { meta, base, forkedFrom } = file.head
    this.#torn = []
    this.#step = step
    this.#waiting = [...step.cuts]
    const isCopy = base === undefined && forkedFrom !== undefined
    Object.assign(this.#known, { items: 0, copiedItems, isCopy })
    this.#ordinal = undefined
    const from = start && this.#cuts.get(cutKey(start.file, start.offset))
    const provider = textIn(meta, "model_provider") ?? "openai"
    const path = from?.copy() ?? new PathState(step.origin, provider)
    path.provider = provider
    path.isPaginated = meta.history_mode === "paginated"
    const version = minorVersion(textIn(meta, "cli_version"))
    path.joinsHistory = !path.isPaginated && version <= JOINS_HISTORY
    path.formatsResults = !path.isPaginated && version >= FORMATS_RESULTS && version < STORES_WHAT_IT_SENDS
    path.dropsContext = version > KEEPS_CONTEXT
    this.#writer.path = path
    if (missingBase === undefined) return
    path.isPartial = true
    const message = `${file.name} goes on from ${missingBase}, which was not found; what came before is not shown.`
    this.#counter.report({ kind: "missing-parent", message })
  }

  /**
   * Converts a line. One that is not complete is in no entry, and counted until a line follows.
   * @returns false where the step ends before it
   */
  push(line: Line): boolean {
    const end = this.#step?.end
    if (end !== undefined && line.end > end) return false
    const records = [...recordsIn(line)]
    const [first] = records
    if (first && "torn" in first) {
      this.#torn = first.torn
      return true
    }
    this.#cutUpTo(line.end)
    this.#torn = []
    for (const record of records) this.#add(record)
    return true
  }

  #add(record: SourceRecord): void {
    if ("value" in record) {
      const line = rolloutLine(record.value)
      this.#writer.time = line.timestamp ?? this.#writer.time
      this.#ordinal = line.ordinal
      const kind = kindOfLine(line)
      const outcome = this.#convert(line, kind)
      // What this release knows is counted, or repeats what is.
      this.#counter.count(kind, outcome, () => outcome === undefined && hasTokens(record.value))
    } else if ("faults" in record) {
      for (const fault of record.faults) this.#counter.report(fault)
      if (!record.data) return
      this.#counter.count("damaged", "kept")
      this.#writer.addSide("custom", { customType: DAMAGED, data: record.data })
    }
  }

  /** Ends the lines of a file that another step follows. */
  end(): void {
    this.#cutUpTo(Number.POSITIVE_INFINITY)
  }

  /** Nothing that follows elsewhere belongs to what is not complete here. */
  #endPath(): void {
    this.#writer.endReply()
    this.#writer.endUsage()
  }

  #cutUpTo(end: number): void {
    for (let next = this.#waiting[0]; next !== undefined && next < end; next = this.#waiting[0]) {
      this.#endPath()
      this.#cuts.set(cutKey(this.#step?.file.name ?? "", next), this.#writer.path.copy())
      this.#waiting.shift()
    }
  }

  /** The entries that are complete. Each is returned once. */
  take(): Json[] {
    return this.#writer.entries.splice(0)
  }

  /** Ends the session. @returns the entries that are left */
  finish(): Json[] {
    this.#endPath()
    const entries = this.take()
    const { last, path, time: timestamp } = this.#writer
    const { leaf } = path
    if (leaf !== last && leaf !== null)
      entries.push({ type: "custom", id: `${leaf}:leaf`, parentId: leaf, timestamp, customType: "treelog.leaf" })
    return entries
  }

  get #isInherited(): boolean {
    const step = this.#step
    const { copiedItems, items, isCopy } = this.#known
    if (!step) return false
    if (step.isForeign) return true
    const { ownFrom } = step.file.head
    if (ownFrom !== undefined && this.#ordinal !== undefined) return this.#ordinal < ownFrom
    if (copiedItems) return items <= copiedItems
    // The thread that was copied is not at hand to compare.
    return isCopy && isFromStart(step.file, millis(this.#writer.time))
  }

  #convert(line: RolloutLine, kind: string): RecordOutcome {
    const { payload } = line
    const skipped = SKIPPED_KINDS.get(kind)
    if (skipped !== undefined) {
      this.#reviewed(payload)
      if (skipped === SKIPPED.turns) this.#writer.endReply()
      return { skipped }
    }
    if (line.type === "response_item") {
      this.#known.items++
      return addItem(this.#writer, payload)
    }
    if (CALL_EVENTS.has(kind)) return this.#callEvent(kind, payload)
    const handle = this.#handlers.get(kind)
    if (handle) return handle(payload, kind)
    this.#keep(kind, payload)
    return KEPT_KINDS.has(kind) ? "kept" : undefined
  }

  readonly #handlers: ReadonlyMap<string, (payload: Json, kind: string) => RecordOutcome> = new Map([
    ["session_meta", (payload) => this.#sessionMeta(payload)],
    ["turn_context", (payload) => this.#turnContext(payload)],
    ["compacted", (payload) => this.#compacted(payload)],
    ["token_usage_record", (payload) => this.#usageRecord(payload)],
    ["inter_agent_communication", (payload, kind) => this.#note(payload, kind)],
    ["realtime_item", (payload, kind) => this.#spoken(payload, kind)],
    ["event_msg:token_count", (payload) => this.#tokenCount(payload)],
    ["event_msg:thread_settings_applied", (payload) => this.#settings(payload)],
    ["event_msg:thread_rolled_back", (payload) => this.#rollBack(countIn(payload, "num_turns"))],
    ["event_msg:thread_name_updated", (payload) => this.#rename(payload)],
    ["event_msg:turn_aborted", (payload, kind) => this.#abort(payload, kind)],
    ["event_msg:error", (payload, kind) => this.#error(payload, kind)],
    ["event_msg:sub_agent_activity", (payload, kind) => this.#activity(payload, kind)],
    ["event_msg:item_completed:SubAgentActivity", (payload, kind) => this.#activity(payload, kind)],
  ])

  /** A review runs in a thread of its own, of which this one repeats what is asked and said, under its id. */
  #reviewed(payload: Json): void {
    const item = objectIn(payload, "item")
    const id = textIn(payload, "thread_id")
    if (item?.type !== "UserMessage" || id === undefined || this.#isInherited) return
    if (id === this.#step?.file.threadId || this.#known.reviews.has(id)) return
    this.#known.reviews.add(id)
    addPart(this.#writer, { id, role: "review", title: contentText(contentBlocks(item.content)) })
  }

  /** The entry of the part follows the result of the call that started it. */
  #activity(payload: Json, kind: string): RecordOutcome {
    const started = startedIn(payload)
    const call = started && this.#writer.path.calls.get(started.call)
    if (call) call.thread = started.thread
    else if (started) addPart(this.#writer, { id: started.thread, role: "subagent" })
    return this.#keep(kind, payload)
  }

  #rename(payload: Json): RecordOutcome {
    const name = nameSetFor(this.#id, payload)
    if (this.#isNamed || name === undefined) return { skipped: SKIPPED.repeated }
    this.#writer.addSide("session_info", { name })
    return "converted"
  }

  #note({ content, ...details }: Json, kind: string): RecordOutcome {
    this.#writer.endReply()
    const { path } = this.#writer
    path.turns.push({ prompt: undefined, before: path.place() })
    const fields = { customType: `codex.${kind}`, content: contentBlocks(content), display: false, details }
    this.#writer.addSide("custom_message", fields)
    return "converted"
  }

  /** What was said by voice, to a model of its own: people see it, and the model of the thread does not get it. */
  #spoken(payload: Json, kind: string): RecordOutcome {
    const said = spokenItem(payload)
    if (!said) return this.#keep(kind, payload)
    const message = { role: said.role, content: contentBlocks(said.content), timestamp: millis(this.#writer.time) }
    const model = {
      provider: this.#writer.path.provider,
      model: "unknown",
      usage: usageOf(undefined),
      stopReason: "stop",
    }
    this.#writer.addSide("message", { message: { ...message, ...(said.role === "assistant" && model) } }, true)
    return "converted"
  }

  #error(payload: Json, kind: string): RecordOutcome {
    const { type: _, message, ...details } = payload
    if (typeof message !== "string") return this.#keep(kind, payload)
    this.#writer.addNotice("codex.error", message, details)
    return "converted"
  }

  /** A turn that was broken off within a reply ends it; otherwise the line itself says so. */
  #abort(payload: Json, kind: string): RecordOutcome {
    const { pending } = this.#writer.path
    if (!pending) return this.#keep(kind, payload)
    pending.isAborted = true
    this.#writer.endReply()
    return "converted"
  }

  #keep(kind: string, data: Json): "kept" {
    this.#writer.addSide("custom", { customType: `codex.${kind.slice(kind.lastIndexOf(":") + 1)}`, data })
    return "kept"
  }

  #sessionMeta(meta: Json): RecordOutcome {
    const { path } = this.#writer
    const file = this.#step?.file
    const id = textIn(meta, "id")
    this.#writer.isLacking ||= this.#known.isHeaderSeen
    // A fork that copied its parent has the parent's head too: the items are the parent's.
    if (!path.hasItems && id !== undefined && id !== file?.head.threadId) {
      Object.assign(path, { origin: id, item: id })
      this.#known.isCopy = true
    }
    this.#writer.endReply()
    const instructions = objectIn(meta, "base_instructions")
    const prompt = instructions ? textIn(instructions, "text") : textIn(meta, "instructions")
    if (prompt !== undefined && prompt !== path.systemPrompt) {
      path.systemPrompt = prompt
      this.#writer.addSide("session_init", { systemPrompt: prompt, task: "", tools: [] })
    }
    if (!this.#known.isHeaderSeen && file?.name === this.#headerFile) this.#known.isHeaderSeen = true
    else this.#keep("session_meta", without(meta, ["base_instructions", "instructions"]))
    return "converted"
  }

  #turnContext(payload: Json): RecordOutcome {
    const { path } = this.#writer
    this.#writer.endReply()
    // An older version that goes on writes totals alone.
    path.hasRecords = false
    const model = textIn(payload, "model")
    const effort = textIn(payload, "effort")
    const rest = without(payload, ["turn_id", "root_turn_id", "model", "effort", "collaboration_mode", "comp_hash"])
    const turnContext = canonicalJson(rest)
    const before = { model: path.model, effort: path.effort, turnContext: path.turnContext }
    if (model !== undefined && model !== before.model) {
      const { provider } = path
      const change = { provider, modelId: model, model: `${provider}/${model}`, role: "default" }
      this.#writer.addSide("model_change", change)
      path.model = model
    }
    if (effort !== before.effort) this.#writer.addSide("thinking_level_change", { thinkingLevel: effort ?? null })
    if (turnContext !== before.turnContext) this.#keep("turn_context", rest)
    Object.assign(path, { effort, turnContext })
    const isNew = model !== before.model || effort !== before.effort || turnContext !== before.turnContext
    return isNew ? "converted" : { skipped: SKIPPED.repeated }
  }

  /** Of the settings, what decides about the price of what follows; the items repeat the others for the model. */
  #settings(payload: Json): RecordOutcome {
    const serviceTier = textIn(objectIn(payload, "thread_settings") ?? {}, "service_tier")
    if (serviceTier !== this.#writer.path.serviceTier) this.#writer.endReply()
    this.#writer.path.serviceTier = serviceTier
    return { skipped: SKIPPED.state }
  }

  #usage(usage: TokenCounts): RecordOutcome {
    this.#known.hasUsage = true
    if (!this.#isInherited) {
      this.#writer.addUsage(usage)
      return "converted"
    }
    this.#writer.measured(usage)
    return { skipped: SKIPPED.base }
  }

  #usageRecord(payload: Json): RecordOutcome {
    this.#writer.path.hasRecords = true
    const response = textIn(payload, "response_id")
    if (response !== undefined && this.#known.responses.has(response)) return { skipped: SKIPPED.repeated }
    if (response !== undefined) this.#known.responses.add(response)
    return this.#usage(tokenCounts(objectIn(payload, "usage") ?? {}))
  }

  #tokenCount(payload: Json): RecordOutcome {
    const { path } = this.#writer
    const info = objectIn(payload, "info") ?? {}
    path.window = countIn(info, "model_context_window") || path.window
    const [total, last] = [objectIn(info, "total_token_usage"), objectIn(info, "last_token_usage")]
    if (!total) return { skipped: SKIPPED.repeated }
    const counts = tokenCounts(total)
    const used = tokensUsed(path.totals, counts, last && tokenCounts(last))
    path.totals = withTotal(path.totals, counts)
    const isRepeated = path.hasRecords || (used.input === 0 && used.output === 0)
    return isRepeated ? { skipped: SKIPPED.repeated } : this.#usage(used)
  }

  #compacted(payload: Json): RecordOutcome {
    const { path } = this.#writer
    this.#writer.endReply()
    const { loose, provider, model, turns } = path
    path.loose = undefined
    const message = typeof payload.message === "string" ? payload.message : ""
    const replacementHistory = Array.isArray(payload.replacement_history)
      ? payload.replacement_history
      : this.#legacyHistory(message)
    const text = joinedText(replacementHistory.at(-1))
    path.joined = text === undefined ? undefined : { text, turns: turns.length }
    const details = without(payload, NOT_DETAILS)
    this.#writer.addCompaction(payload, {
      summary: historyText(replacementHistory, message),
      tokensBefore: loose && fitsIn(path.window, loose.input) ? loose.input : path.lastTokens,
      ...(Object.keys(details).length > 0 && { details }),
      preserveData: { openaiRemoteCompaction: { provider, replacementHistory } },
      ...(loose && { usage: usageOf(loose, path.serviceTier), provider, ...(model !== undefined && { model }) }),
    })
    return "converted"
  }

  #legacyHistory(message: string): Json[] {
    const { turns, isPaginated, joinsHistory, joined } = this.#writer.path
    const initial = isPaginated ? [] : this.#writer.path.initial
    const promptsFrom = (turn: number): string[] => turns.slice(turn).flatMap(({ prompt }) => prompt ?? [])
    // A later version went on with the thread where the message begins as a summary does.
    if (!joinsHistory || isSummary(message)) return legacyHistory(message, initial, promptsFrom(0))
    // A rollback may have taken it back.
    const isJoined = joined && joined.turns <= turns.length
    const prompts = isJoined ? [joined.text, ...promptsFrom(joined.turns)] : promptsFrom(0)
    return joinedHistory(message, initial, prompts)
  }

  #rollBack(turns: number): RecordOutcome {
    const { path } = this.#writer
    this.#writer.isLacking ||= turns > path.turns.length
    this.#writer.endReply()
    const [first] = turns > 0 ? path.turns.splice(Math.max(0, path.turns.length - turns)) : []
    if (first) {
      path.goTo(first.before)
      path.calls.clear()
    }
    return "converted"
  }

  #callEvent(kind: string, payload: Json): RecordOutcome {
    const event = objectIn(payload, "item") ?? payload
    const callId = textIn(payload, "call_id") ?? textIn(event, "id")
    const call = callId === undefined ? undefined : this.#writer.path.calls.get(callId)
    // A search of the web has no result among the items.
    if (!call) return kind.endsWith(":WebSearch") ? { skipped: SKIPPED.mirrors } : this.#keep(kind, payload)
    call.details = { ...call.details, ...without(event, OUTPUTS) }
    call.isError = failed(event) ?? call.isError
    return "converted"
  }
}

/** The name that an event gives to a thread, empty where it takes it away; undefined where it has none, or names another thread, which this one was copied from. */
export function nameSetFor(
  thread: string,
  { thread_id: named = thread, thread_name: name = null }: Json,
): string | undefined {
  if (named !== thread) return undefined
  return name === null ? "" : typeof name === "string" ? name : undefined
}

/** The last minor version of which it is known that it sends prompts and summary in one message. */
const JOINS_HISTORY = 53

/** The first minor version of which it is known that it sends text to models with the tool for patches. */
const FORMATS_RESULTS = 45

/** The first minor version of which it is known that it sends all outputs as it stores them. */
const STORES_WHAT_IT_SENDS = 98

/** The last minor version of which it is known that a rollback keeps the context before the turns that it takes back. */
const KEEPS_CONTEXT = 98

/** The second number of a version; 0 where there is none. */
function minorVersion(version = ""): number {
  return Number(/^\d+\.(\d+)/.exec(version)?.[1] ?? 0)
}

/** Fields that repeat the result, or the call. */
const OUTPUTS = ["aggregated_output", "formatted_output", "stdout", "stderr", "result", "arguments", "id", "call_id"]

/** Large fields of a compaction that only the program itself uses, and those that stand elsewhere in the entry. */
const NOT_DETAILS = [
  "message",
  "replacement_history",
  "replacement_history_metadata",
  "guardian_history",
  "retained_context",
  "latest_token_usage_record",
  "resume_metadata",
]

/** Whether a call failed; undefined where the event does not say so. */
function failed(event: Json): boolean | undefined {
  if (typeof event.exit_code === "number") return event.exit_code !== 0
  if (typeof event.success === "boolean") return !event.success
  if (objectIn(event, "result")?.isError === true) return true
  return event.status === undefined ? undefined : event.status === "failed" || event.status === "declined"
}

function cutKey(file: string, offset: number): string {
  return `${offset}@${file}`
}
