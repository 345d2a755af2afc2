import { contentText, type Diagnostic, type SessionHeader } from "@treelog/session-core"
import type { Line } from "@treelog/session-core/adapter"
import {
  type ConversionReport,
  countIn,
  type Json,
  objectIn,
  ReportCounter,
  textIn,
  without,
} from "@treelog-internal/agent-files"
import { type ReadLine, type RolloutLine, readRolloutLines } from "../rollout/rollout-line.js"
import { isFromStart } from "./copied-items.js"
import { contentBlocks } from "./item-content.js"
import { addItem } from "./item-entries.js"
import { canonicalJson } from "./item-id.js"
import { CALL_EVENTS, KEPT_KINDS, kindOfLine, reasonToSkip } from "./line-kinds.js"
import { addPart, startedIn } from "./opened-threads.js"
import { copyPath, newPath, type PathState, placeOf } from "./path-state.js"
import { type ItemHash, millis, PathWriter } from "./path-writer.js"
import { historyText, joinedText, legacyHistory } from "./replacement-history.js"
import { SKIPPED } from "./skipped.js"
import type { ThreadStep } from "./thread-plan.js"
import { fitsIn, type TokenCounts, tokenCounts, tokensBetween, usageOf } from "./usage.js"

/** Converts the lines of a thread, file after file, to entries. It does no I/O: the caller passes the lines of each step in order. */
export class ThreadConverter {
  readonly #writer: PathWriter
  readonly #counter = new ReportCounter()
  /** The file whose head is the header. */
  readonly #headerFile: string
  /** The path at the places where other files go on. */
  readonly #cuts = new Map<string, PathState>()
  #step: ThreadStep | undefined
  #waiting: number[] = []
  #items = 0
  /** The threads of reviews so far. */
  readonly #reviews = new Set<string>()
  #torn: readonly Diagnostic[] = []
  #isHeaderSeen = false
  /** Whether the file began with the lines of another thread. */
  #isCopy = false
  #ordinal: number | undefined
  /** The time of the last line that had one. */
  #time: string

  /**
   * @param headerFile the name of the file whose head the header is made of
   * @param hash for entries that are not kept, a cheaper one
   */
  constructor(header: SessionHeader, headerFile: string, hash?: ItemHash) {
    this.#headerFile = headerFile
    this.#time = header.timestamp
    this.#writer = new PathWriter(newPath(header.id, "openai"), hash)
  }

  get report(): ConversionReport {
    return this.#counter.result(this.#torn)
  }

  /** Begins with the lines of another file. */
  begin(step: ThreadStep): void {
    this.#endPath()
    if (this.#torn.length > 0) this.#counter.torn(this.#torn)
    this.#torn = []
    this.#step = step
    this.#waiting = [...step.cuts]
    this.#items = 0
    this.#isCopy = step.file.head.base === undefined && step.file.head.forkedFrom !== undefined
    this.#ordinal = undefined
    const { start, file } = step
    const from = start && this.#cuts.get(cutKey(start.file, start.offset))
    const { meta } = file.head
    const provider = textIn(meta, "model_provider") ?? "openai"
    const path = from ? copyPath(from) : newPath(step.origin, provider)
    path.provider = provider
    path.isPaginated = meta.history_mode === "paginated"
    const version = minorVersion(textIn(meta, "cli_version"))
    path.sendsText = !path.isPaginated && version < STORES_WHAT_IT_SENDS
    path.dropsContext = version > KEEPS_CONTEXT
    this.#writer.path = path
    if (step.missingBase !== undefined) this.#reportMissing(step.missingBase, file.name)
  }

  #reportMissing(base: string, file: string): void {
    this.#writer.path.isPartial = true
    const message = `${file} goes on from ${base}, which was not found; what came before is not shown.`
    this.#counter.report({ kind: "missing-parent", message })
  }

  /**
   * Converts a line. One that is not complete is in no entry, and counted until a line follows.
   * @returns false where the step ends before it
   */
  push(line: Line): boolean {
    const end = this.#step?.end
    if (end !== undefined && line.end > end) return false
    const [first, ...glued] = readRolloutLines(line)
    if (first && "torn" in first) {
      this.#torn = first.torn
      return true
    }
    this.#cutUpTo(line.end)
    this.#torn = []
    if (first) for (const read of [first, ...glued]) this.#add(read)
    return true
  }

  #add(read: ReadLine): void {
    if ("line" in read) {
      this.#time = read.line.timestamp ?? this.#time
      this.#ordinal = read.line.ordinal
      this.#convert(read.line)
    } else if ("faults" in read) {
      for (const fault of read.faults) this.#counter.report(fault)
      if (!read.data) return
      this.#counter.kept("damaged")
      this.#writer.addSide("custom", this.#time, { customType: "treelog.damaged", data: read.data })
    }
  }

  /** Ends the lines of a file that another step follows. */
  end(): void {
    this.#cutUpTo(Number.POSITIVE_INFINITY)
  }

  /** Nothing that follows elsewhere belongs to what is not complete here. */
  #endPath(): void {
    this.#writer.endReply()
    this.#writer.endUsage(this.#time)
  }

  #cutUpTo(end: number): void {
    for (let next = this.#waiting[0]; next !== undefined && next < end; next = this.#waiting[0]) {
      this.#endPath()
      this.#cuts.set(cutKey(this.#step?.file.name ?? "", next), copyPath(this.#writer.path))
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
    const { last, path } = this.#writer
    const { leaf } = path
    if (leaf !== last && leaf !== null)
      entries.push({
        type: "custom",
        id: `${leaf}:leaf`,
        parentId: leaf,
        timestamp: this.#time,
        customType: "treelog.leaf",
      })
    return entries
  }

  get #isInherited(): boolean {
    const step = this.#step
    if (!step) return false
    if (step.isForeign) return true
    const { ownFrom } = step.file.head
    if (ownFrom !== undefined && this.#ordinal !== undefined) return this.#ordinal < ownFrom
    if (step.copiedItems) return this.#items <= step.copiedItems
    // The thread that was copied is not at hand to compare.
    return this.#isCopy && isFromStart(step.file, millis(this.#time))
  }

  #convert(line: RolloutLine): void {
    const kind = kindOfLine(line)
    const { payload } = line
    const skipped = reasonToSkip(kind)
    if (skipped !== undefined) {
      this.#reviewed(payload)
      if (skipped === SKIPPED.turns) this.#writer.endReply()
      this.#counter.skipped(kind, skipped)
    } else if (line.type === "response_item") this.#item(kind, payload)
    else if (CALL_EVENTS.has(kind)) this.#callEvent(kind, payload)
    else {
      const handle = Object.hasOwn(this.#handlers, kind) ? this.#handlers[kind] : undefined
      if (!handle && !KEPT_KINDS.has(kind)) this.#counter.unknown(kind)
      if (handle) handle(kind, payload)
      else this.#keep(kind, payload)
    }
  }

  #item(kind: string, payload: Json): void {
    this.#items++
    const outcome = addItem(this.#writer, payload, this.#time)
    if (outcome === "converted") this.#counter.converted(kind)
    else this.#counter.kept(kind)
    if (outcome === "unknown") this.#counter.unknown(kind)
  }

  readonly #handlers: Readonly<Record<string, (kind: string, payload: Json) => void>> = {
    session_meta: (kind, payload) => this.#sessionMeta(kind, payload),
    turn_context: (kind, payload) => this.#turnContext(kind, payload),
    compacted: (kind, payload) => this.#compacted(kind, payload),
    token_usage_record: (kind, payload) => this.#usageRecord(kind, payload),
    inter_agent_communication: (kind, payload) => this.#note(kind, payload),
    "event_msg:token_count": (kind, payload) => this.#tokenCount(kind, payload),
    "event_msg:thread_settings_applied": (kind, payload) => this.#settings(kind, payload),
    "event_msg:thread_rolled_back": (kind, payload) => this.#rollBack(kind, countIn(payload, "num_turns")),
    "event_msg:thread_name_updated": (kind, payload) => this.#rename(kind, payload),
    "event_msg:turn_aborted": (kind, payload) => this.#abort(kind, payload),
    "event_msg:item_completed:SubAgentActivity": (kind, payload) => this.#activity(kind, payload),
  }

  /** A review runs in a thread of its own, of which this one repeats what is asked and said, under its id. */
  #reviewed(payload: Json): void {
    const item = objectIn(payload, "item")
    const id = textIn(payload, "thread_id")
    if (item?.type !== "UserMessage" || id === undefined || this.#isInherited) return
    if (id === this.#step?.file.threadId || this.#reviews.has(id)) return
    this.#reviews.add(id)
    addPart(this.#writer, this.#time, { id, role: "review", title: contentText(contentBlocks(item.content)) })
  }

  /** The entry of the part follows the result of the call that started it. */
  #activity(kind: string, payload: Json): void {
    const started = startedIn(payload)
    const call = started && this.#writer.path.calls.get(started.call)
    if (call) call.thread = started.thread
    else if (started) addPart(this.#writer, this.#time, { id: started.thread, role: "subagent" })
    this.#keep(kind, payload)
  }

  #rename(kind: string, payload: Json): void {
    this.#counter.converted(kind)
    this.#writer.addSide("session_info", this.#time, { name: textIn(payload, "thread_name") ?? "" })
  }

  #note(kind: string, { content, ...details }: Json): void {
    this.#counter.converted(kind)
    this.#writer.endReply()
    const { path } = this.#writer
    path.turns.push({ prompt: undefined, before: placeOf(path) })
    const fields = { customType: `codex.${kind}`, content: contentBlocks(content), display: false, details }
    this.#writer.addSide("custom_message", this.#time, fields)
  }

  /** A turn that was broken off within a reply ends it; otherwise the line itself says so. */
  #abort(kind: string, payload: Json): void {
    const { pending } = this.#writer.path
    if (!pending) {
      this.#keep(kind, payload)
      return
    }
    pending.isAborted = true
    this.#counter.converted(kind)
    this.#writer.endReply()
  }

  #keep(kind: string, payload: Json): void {
    this.#counter.kept(kind)
    const customType = `codex.${kind.slice(kind.lastIndexOf(":") + 1)}`
    this.#writer.addSide("custom", this.#time, { customType, data: payload })
  }

  #sessionMeta(kind: string, meta: Json): void {
    const { path } = this.#writer
    const id = textIn(meta, "id")
    // A fork that copied its parent has the parent's head too: the items are the parent's.
    if (!path.hasItems && id !== undefined && id !== this.#step?.file.head.threadId) {
      path.item = id
      this.#isCopy = true
    }
    this.#writer.endReply()
    const instructions = objectIn(meta, "base_instructions")
    const prompt = instructions ? textIn(instructions, "text") : textIn(meta, "instructions")
    if (prompt !== undefined && prompt !== path.systemPrompt) {
      path.systemPrompt = prompt
      this.#writer.addSide("session_init", this.#time, { systemPrompt: prompt, task: "", tools: [] })
    }
    this.#counter.converted(kind)
    if (!this.#isHeaderSeen && this.#step?.file.name === this.#headerFile) this.#isHeaderSeen = true
    else {
      const data = without(meta, ["base_instructions", "instructions"])
      this.#writer.addSide("custom", this.#time, { customType: "codex.session_meta", data })
    }
  }

  #turnContext(kind: string, payload: Json): void {
    const { path } = this.#writer
    this.#writer.endReply()
    const model = textIn(payload, "model")
    const effort = textIn(payload, "effort")
    const rest = without(payload, ["turn_id", "root_turn_id", "model", "effort", "collaboration_mode", "comp_hash"])
    const context = canonicalJson(rest)
    const isNew = model !== path.model || effort !== path.effort || context !== path.turnContext
    if (!isNew) {
      this.#counter.skipped(kind, SKIPPED.repeated)
      return
    }
    this.#counter.converted(kind)
    if (model !== undefined && model !== path.model) {
      const { provider } = path
      const change = { provider, modelId: model, model: `${provider}/${model}`, role: "default" }
      this.#writer.addSide("model_change", this.#time, change)
      path.model = model
    }
    if (effort !== path.effort)
      this.#writer.addSide("thinking_level_change", this.#time, { thinkingLevel: effort ?? null })
    path.effort = effort
    if (context !== path.turnContext)
      this.#writer.addSide("custom", this.#time, { customType: "codex.turn_context", data: rest })
    path.turnContext = context
  }

  /** Of the settings, what decides about the price of what follows; the items repeat the others for the model. */
  #settings(kind: string, payload: Json): void {
    const serviceTier = textIn(objectIn(payload, "thread_settings") ?? {}, "service_tier")
    if (serviceTier !== this.#writer.path.serviceTier) this.#writer.endReply()
    this.#writer.path.serviceTier = serviceTier
    this.#counter.skipped(kind, SKIPPED.state)
  }

  #usage(kind: string, usage: TokenCounts): void {
    if (this.#isInherited) {
      const { pending } = this.#writer.path
      if (pending) pending.isClosed = true
      this.#writer.measured(usage)
      this.#counter.skipped(kind, SKIPPED.base)
      return
    }
    this.#counter.converted(kind)
    this.#writer.addUsage(usage, this.#time)
  }

  #usageRecord(kind: string, payload: Json): void {
    this.#writer.path.hasRecords = true
    this.#usage(kind, tokenCounts(objectIn(payload, "usage") ?? {}))
  }

  #tokenCount(kind: string, payload: Json): void {
    const { path } = this.#writer
    const info = objectIn(payload, "info") ?? {}
    path.window = countIn(info, "model_context_window") || path.window
    const [total, last] = [objectIn(info, "total_token_usage"), objectIn(info, "last_token_usage")]
    if (!total || path.hasRecords) {
      this.#counter.skipped(kind, SKIPPED.repeated)
      return
    }
    const counts = tokenCounts(total)
    const used = tokensBetween(path.total, counts, last && tokenCounts(last))
    path.total = counts
    if (used.input === 0 && used.output === 0) this.#counter.skipped(kind, SKIPPED.repeated)
    else this.#usage(kind, used)
  }

  #compacted(kind: string, payload: Json): void {
    const { path } = this.#writer
    this.#counter.converted(kind)
    this.#writer.endReply()
    const { loose, provider, model } = path
    path.loose = undefined
    const message = typeof payload.message === "string" ? payload.message : ""
    const promptsFrom = (turn: number): string[] => path.turns.slice(turn).flatMap(({ prompt }) => prompt ?? [])
    // A rollback may have taken it back.
    const joined = path.joined && path.joined.turns <= path.turns.length ? path.joined : undefined
    const kept = {
      initial: path.isPaginated ? [] : path.initial,
      prompts: promptsFrom(0),
      sinceJoined: joined ? [joined.text, ...promptsFrom(joined.turns)] : promptsFrom(0),
    }
    const stored = Array.isArray(payload.replacement_history) ? payload.replacement_history : undefined
    const replacementHistory = stored ?? legacyHistory(message, kept)
    const text = joinedText(replacementHistory.at(-1))
    path.joined = text === undefined ? undefined : { text, turns: path.turns.length }
    const details = without(payload, NOT_DETAILS)
    this.#writer.addCompaction(this.#time, {
      summary: historyText(replacementHistory, message),
      tokensBefore: loose && fitsIn(path.window, loose.input) ? loose.input : path.lastTokens,
      ...(Object.keys(details).length > 0 && { details }),
      preserveData: { openaiRemoteCompaction: { provider, replacementHistory } },
      ...(loose && { usage: usageOf(loose, path.serviceTier), provider, ...(model !== undefined && { model }) }),
    })
  }

  #rollBack(kind: string, turns: number): void {
    const { path } = this.#writer
    this.#counter.converted(kind)
    this.#writer.endReply()
    const from = Math.max(0, path.turns.length - turns)
    const [first] = turns > 0 ? path.turns.splice(from) : []
    if (!first) return
    Object.assign(path, first.before)
    path.beforeContext = undefined
    path.calls.clear()
  }

  #callEvent(kind: string, payload: Json): void {
    const event = objectIn(payload, "item") ?? payload
    const callId = textIn(payload, "call_id") ?? textIn(event, "id")
    const call = callId === undefined ? undefined : this.#writer.path.calls.get(callId)
    // A search of the web has no result among the items.
    if (!call && kind.endsWith(":WebSearch")) this.#counter.skipped(kind, SKIPPED.mirrors)
    else if (!call) this.#keep(kind, payload)
    if (!call) return
    this.#counter.converted(kind)
    call.details = { ...call.details, ...without(event, OUTPUTS) }
    const isError = failed(event)
    if (isError !== undefined) call.isError = isError
  }
}

/** The first minor version of which it is known that it sends outputs as it stores them. */
const STORES_WHAT_IT_SENDS = 98

/** The last minor version of which it is known that a rollback keeps the context before the turns that it takes back. */
const KEEPS_CONTEXT = 98

/** The second number of a version; 0 where there is none. */
function minorVersion(version: string | undefined): number {
  return Number(/^\d+\.(\d+)/.exec(version ?? "")?.[1] ?? 0)
}

/** Fields that repeat the result, or the call. */
const OUTPUTS = ["aggregated_output", "formatted_output", "stdout", "stderr", "result", "arguments", "id", "call_id"]

/** Large fields of a compaction that only the program itself uses, and those that stand elsewhere in the entry. */
const NOT_DETAILS = [
  "message",
  "replacement_history",
  "replacement_history_metadata",
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
