import { createHash } from "node:crypto"
import { basename, dirname } from "node:path"
import type { ContentBlock, Usage } from "@treelog/session-core"
import {
  type ConvertedRecords,
  callArguments,
  countIn,
  type EntryPlace,
  type EntryWriter,
  type HeaderFields,
  isObject,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import { blocksOf, callsOf, isBlank, resultContent, textOf, typedIn } from "./blocks.js"
import { CONTINUE, type Held, injected, isPrompt, keptPrompts, ownerOf, startOfLast } from "./history.js"
import { KEPT, SKIPPED } from "./kinds.js"

/** A reply that is being written, and what came meanwhile. */
interface Step {
  readonly place: EntryPlace
  readonly content: ContentBlock[]
  /** The tools of calls without a result, by the ids of the calls. */
  readonly running: Map<string, string>
  readonly results: (() => void)[]
  readonly behind: (() => void)[]
  usage?: Json | undefined
  reason?: string | undefined
}

/** The conversion of a session, or of the transcript of a sub-agent. Its context is rebuilt as Kimi Code does it when it goes on with a session. */
export class KimiConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #session: ConvertedRecords
  /** What Kimi Code says of the session beside it. */
  readonly #state: Json
  #first: Json | undefined
  #cwd: string | undefined
  #step: Step | undefined
  /** What the model gets. */
  #history: Held[] = []
  /** How much of it stands before the last compaction, and the entry of that. */
  #base: { readonly length: number; readonly entry: string | null } = { length: 0, entry: null }
  #model = { provider: "unknown", model: "unknown" }
  /** What a call to the model used that no reply has reported yet. */
  #called: { readonly place: EntryPlace; readonly usage: Usage } | undefined
  /** What the last reply used, where early versions report the call behind it. */
  #answered: Usage | undefined
  #isSwitch = false

  constructor(session: ConvertedRecords) {
    this.#session = session
    this.#writer = session.writer
    this.#state = session.beside.find(isObject) ?? {}
  }

  kindOf({ type }: Json): string {
    return String(type)
  }

  record(record: Json, kind: string): RecordOutcome {
    const isSwitch = this.#isSwitch
    this.#isSwitch = kind === "agent.switched"
    const skipped = SKIPPED.get(kind)
    if (skipped !== undefined) return { skipped }
    const place = { id: digestOf(record), time: timeOf(record) }
    switch (kind) {
      case "metadata":
        break
      case "context.append_message":
        this.#append(objectIn(record, "message") ?? {}, place)
        break
      case "context.append_loop_event":
        if (!this.#loop(objectIn(record, "event") ?? {}, place)) return undefined
        break
      case "context.apply_compaction":
        this.#compact(record, place)
        break
      case "context.clear":
        this.#settle()
        this.#history = []
        this.#base = { length: 0, entry: null }
        this.#writer.leaf = null
        break
      case "context.undo":
        this.#undo(countIn(record, "count"), place, isSwitch)
        break
      case "swarm_mode.exit":
        this.#settle()
        if (this.#history.at(-1)?.origin?.variant === "swarm_mode") this.#goBack(this.#history.length - 1, place)
        break
      case "llm.request":
        this.#model = {
          provider: textIn(record, "provider") ?? "unknown",
          model: textIn(record, "model") ?? "unknown",
        }
        break
      case "usage.record":
        this.#count(record, place)
        break
      case "turn.ended":
      case "turn.cancel": {
        this.#addCalled()
        const error = textIn(objectIn(record, "error") ?? {}, "message")
        if (error === undefined) return "kept"
        this.#behind(() => this.#writer.notice(place, "kimi.error", error))
        break
      }
      case "agent.switched":
      case "forked":
        break
      default:
        this.#cwd ??= textIn(objectIn(record, "environmentDisclosure") ?? record, "cwd")
        if (kind === "config.update" || kind === "profile.bind") this.#useModel(textIn(record, "modelAlias"))
        return KEPT.has(kind) ? "kept" : undefined
    }
    this.#first ??= record
    return "converted"
  }

  end(): HeaderFields | undefined {
    this.#settle()
    this.#addCalled()
    const first = this.#first
    if (!first) return undefined
    const state = this.#state
    const isPart = basename(dirname(this.#session.key)) !== "main"
    const custom = objectIn(state, "custom") ?? {}
    const cwd =
      textIn(state, "cwd") ?? textIn(state, "workDir") ?? textIn(custom, "cwd") ?? this.#cwd ?? this.#session.cwd
    return {
      id: this.#session.id,
      timestamp: isoTime(this.#created() ?? countIn(first, "created_at")),
      cwd,
      // Until it has a name, its title is what was said last.
      title: isPart || !hasName(state) ? undefined : textIn(state, "title"),
      parentSession: isPart ? undefined : textIn(state, "forkedFrom"),
      source: {
        kind: OWN_WORK.test(this.#session.id) && "subtask",
        version: textIn(first, "app_version"),
        archived: state.archived === true || custom.archived === true,
      },
    }
  }

  /** When the session began, or the fork. Milliseconds since 1970. */
  #created(): number | undefined {
    const { createdAt } = this.#state
    const time = typeof createdAt === "string" ? Date.parse(createdAt) : Number(createdAt ?? Number.NaN)
    return Number.isNaN(time) ? undefined : time
  }

  /** What a fork copied counts where it was said. */
  #isCopied(time: number | undefined): boolean {
    return textIn(this.#state, "forkedFrom") !== undefined && (time ?? 0) < (this.#created() ?? 0)
  }

  #append(message: Json, place: EntryPlace): void {
    this.#behind(() => this.#addMessage(message, { ...place, id: textIn(message, "id") ?? place.id }))
  }

  /** Adds what comes while a reply is being written behind it. */
  #behind(add: () => void): void {
    if (this.#step) this.#step.behind.push(add)
    else add()
  }

  #addMessage(message: Json, place: EntryPlace): void {
    const parts = objectsIn(message.content)
    const content = blocksOf(message.content)
    const origin = objectIn(message, "origin")
    const held = { entry: "", origin, prompt: textIn(message, "id") }
    if (message.role === "assistant") {
      const calls = callsOf(message.toolCalls)
      if (calls.length > 0 || content.length > 0) this.#addReply([...content, ...calls], place)
    } else if (message.role === "tool") {
      const { toolCallId, isError, note } = message
      const only = parts.length === 1 && parts[0]?.type === "text" ? parts[0].text : parts
      this.#addResult(String(toolCallId), "unknown", { output: only, isError, note }, place)
    } else if (content.length > 0) {
      const sent = { role: "user" as const, content, timestamp: place.time ?? 0 }
      const isSaid = isPrompt({ ...held, message: sent }) || origin?.name === "subagent"
      const isCommand = origin?.kind === "shell_command"
      const isTyped = isSaid || (isCommand && origin.phase === "input")
      const typed = isTyped ? typedIn(origin, content) : undefined
      const customType = ["kimi", origin?.kind ?? message.role, origin?.variant].filter((one) => one).join(".")
      const entry = isTyped
        ? this.#writer.message(place, { role: "user", content, ...(typed !== undefined && { prompt: typed }) })
        : this.#writer.add("custom_message", place, { customType, content, display: isCommand })
      this.#hold({ ...held, entry, message: sent })
    }
  }

  #loop(event: Json, place: EntryPlace): boolean {
    const step = this.#step
    switch (event.type) {
      case "step.begin":
        this.#settle()
        this.#step = {
          place: { id: String(event.uuid), time: place.time },
          ...{ content: [], running: new Map(), results: [], behind: [] },
        }
        return true
      case "content.part": {
        const part = objectIn(event, "part") ?? {}
        if (step && !isBlank(part)) step.content.push(...blocksOf([part]))
        return true
      }
      case "tool.call": {
        const [id, name] = [String(event.toolCallId), String(event.name)]
        step?.running.set(id, name)
        step?.content.push({ type: "toolCall", id, name, arguments: callArguments(event.args) })
        return true
      }
      case "tool.result": {
        const id = String(event.toolCallId)
        const name = step?.running.get(id)
        if (!step || name === undefined) return true
        step.running.delete(id)
        const own = { ...place, id: `${textIn(event, "parentUuid") ?? id}:result` }
        step.results.push(() => this.#addResult(id, name, objectIn(event, "result") ?? {}, own))
        return true
      }
      case "step.end":
        if (!step) return true
        step.usage = objectIn(event, "usage") ?? step.usage
        step.reason = textIn(event, "providerFinishReason") ?? textIn(event, "finishReason")
        // What was interrupted is sent as far as it was said, and its calls may still end.
        if (event.finishReason !== "interrupted" && event.finishReason !== "error") this.#settle()
        return true
      default:
        return false
    }
  }

  /** Adds the reply that was written, its results, and what came meanwhile. */
  #settle(): void {
    const step = this.#step
    this.#step = undefined
    if (!step) return
    if (step.content.length > 0) {
      const own = step.usage && !this.#isCopied(step.place.time) ? usageOf(step.usage) : undefined
      const usage = own ?? this.#called?.usage
      this.#answered = this.#called ? undefined : own
      this.#called = undefined
      this.#addReply(step.content, step.place, usage, step.reason)
    }
    for (const add of [...step.results, ...step.behind]) add()
  }

  #addReply(content: ContentBlock[], place: EntryPlace, usage = usageFields(), reason?: string): void {
    const isCall = content.some(({ type }) => type === "toolCall")
    const stopReason = isCall ? "toolUse" : reason === "truncated" ? "length" : "stop"
    const kept = content.some(({ type }) => type === "thinking") && { foreignThinking: "kept" as const }
    const reply = { role: "assistant" as const, content, ...this.#model, usage, stopReason, ...kept }
    const entry = this.#writer.message(place, reply)
    this.#hold({ entry, message: { ...reply, timestamp: place.time ?? 0 } })
  }

  #addResult(toolCallId: string, toolName: string, result: Json, place: EntryPlace): void {
    const content = resultContent(result, toolName)
    const message = { role: "toolResult" as const, toolCallId, toolName, content, isError: result.isError === true }
    const entry = this.#writer.message(place, message)
    this.#hold({ entry, message: { ...message, timestamp: place.time ?? 0 } })
    if (!toolName.startsWith("Agent")) return
    for (const [, agent] of textOf({ content }).matchAll(/\bagent_id(?:: |=")([\w-]+)/g))
      this.#writer.part(
        { ...place, id: `${place.id}:${agent}` },
        { name: `${agent}.jsonl`, role: "subagent", call: toolCallId },
      )
  }

  #hold(held: Held): void {
    this.#history.push(held)
  }

  #compact(record: Json, place: EntryPlace): void {
    this.#settle()
    this.#addCalled()
    const text = textIn(record, "contextSummary") ?? textIn(record, "summary")
    // Early versions stored a message.
    const summary = text ?? textOf(objectIn(record, "summary") ?? {})
    const said = { role: "user" as const, content: blocksOf(summary), timestamp: place.time ?? 0 }
    const own: Held = { entry: "", message: said, origin: { kind: "compaction_summary" } }
    const isOld = record.legacyTail === true || (record.legacyTail === undefined && !("keptUserMessageCount" in record))
    const tail = this.#history.slice(countIn(record, "compactedCount") || countIn(record, "count"))
    this.#history = isOld ? [own, ...tail] : [...keptPrompts(this.#history), own, injected(CONTINUE)]
    this.#addCompaction(place, summary, countIn(record, "tokensBefore"), isOld ? tail[0] : undefined)
  }

  /** What stands before it is not sent but for the history, or for what follows an entry. */
  #addCompaction(place: EntryPlace, summary: string, tokensBefore: number, first?: Held): void {
    const isKept = first !== undefined && first.entry !== "" && this.#history.indexOf(first) >= 0
    const fields = isKept
      ? { firstKeptEntryId: first.entry, verbatim: true }
      : { firstKeptEntryId: place.id, sentAs: this.#history.map(({ message }) => message) }
    const entry = this.#writer.add("compaction", place, { summary, tokensBefore, ...fields })
    this.#base = { length: this.#history.length, entry }
  }

  /** @param isSwitch whether it begins another branch: then what Kimi Code itself put among the messages is not taken back */
  #undo(count: number, place: EntryPlace, isSwitch: boolean): void {
    this.#settle()
    const start = startOfLast(this.#history, count)
    if (start === undefined) return
    const left = this.#history.slice(start)
    const prompts = new Set(this.#history.slice(0, start).map(({ prompt }) => prompt))
    this.#goBack(start, place)
    if (!isSwitch) return
    for (const held of left) {
      if (held.origin?.kind !== "injection") continue
      const owner = ownerOf(held)
      if (owner !== undefined && !prompts.has(owner)) continue
      const customType = ["kimi.injection", held.origin?.variant].filter((one) => one).join(".")
      const again = { id: `${held.entry}:again`, time: place.time }
      const entry = this.#writer.add("custom_message", again, {
        customType,
        content: held.message.content,
        display: false,
      })
      this.#hold({ ...held, entry })
    }
  }

  /** Takes back all but so many messages. */
  #goBack(length: number, place: EntryPlace): void {
    this.#history = this.#history.slice(0, length)
    if (length < this.#base.length) this.#addCompaction(place, "", 0)
    else this.#writer.leaf = length === this.#base.length ? this.#base.entry : (this.#history.at(-1)?.entry ?? null)
  }

  #count(record: Json, place: EntryPlace): void {
    this.#addCalled()
    if (this.#model.model === "unknown") this.#useModel(textIn(record, "model"))
    const usage = usageOf(objectIn(record, "usage") ?? {})
    const isAnswered = JSON.stringify(usage) === JSON.stringify(this.#answered)
    this.#answered = undefined
    if (!isAnswered && !this.#isCopied(place.time)) this.#called = { place, usage }
  }

  /** A call without a reply, such as one that summarizes, counts too. */
  #addCalled(): void {
    if (this.#called) this.#writer.add("usage", this.#called.place, { ...this.#model, usage: this.#called.usage })
    this.#called = undefined
  }

  /** The name of a model in the settings: `kimi-code/k3`. Requests say it better, in versions that record them. */
  #useModel(alias: string | undefined): void {
    const [provider, ...model] = (alias ?? "").split("/")
    if (alias !== undefined)
      this.#model = { provider: model.length > 0 ? `${provider}` : "kimi", model: model.join("/") || alias }
  }
}

/** Sessions in which Kimi Work makes titles and summaries. */
const OWN_WORK = /^(?:ctitle|sklsum|dvlt)-/

/** Whether a session has a name that is not its last prompt. */
function hasName({ titleKind, isCustomTitle, title, lastPrompt }: Json): boolean {
  if (titleKind === undefined) return isCustomTitle === true || (title !== lastPrompt && isCustomTitle === undefined)
  return titleKind !== "replaceable"
}

/** Records have no ids: copies of one in forks have the same. */
function digestOf(record: Json): string {
  return createHash("sha256").update(JSON.stringify(record)).digest("hex").slice(0, 16)
}

function timeOf({ time }: Json): number | undefined {
  return typeof time === "number" ? time : undefined
}

function usageOf(tokens: Json): Usage {
  return usageFields({
    input: countIn(tokens, "inputOther"),
    output: countIn(tokens, "output"),
    cacheRead: countIn(tokens, "inputCacheRead"),
    cacheWrite: countIn(tokens, "inputCacheCreation"),
  })
}
