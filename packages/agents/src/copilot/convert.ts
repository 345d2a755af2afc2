import { createHash } from "node:crypto"
import type { ContentBlock } from "@treelog/session-core"
import {
  countIn,
  type EntryWriter,
  type HeaderFields,
  isObject,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  type Reply,
  textIn,
  usageFields,
} from "../kit.js"
import { KEPT, SKIPPED } from "./kinds.js"
import { legacyEvent } from "./legacy-event.js"
import { replyBlocks } from "./reply-blocks.js"

const STARTED = "subagent.started"
const RECORD = "session.usage_record"
/** The API whose reasoning Copilot stores, and does not send again when it goes on. */
const RESPONSES = "openai-responses"
const UNKNOWN = "unknown"

/** The fields of events that have what a call used. */
const USAGE: ReadonlyMap<string, string> = new Map([
  [RECORD, "usage"],
  ["session.compaction_complete", "compactionTokensUsed"],
])

/** The calls of a reply, in its order, with the results that have come. */
interface Calls {
  readonly ids: string[]
  readonly names: ReadonlyMap<string, string>
  readonly results: Map<string, Json>
  /** The reply, and what of it is sent once the user has ended a call of it: without its thoughts. */
  readonly interrupted?: { readonly entry: string; readonly content: readonly ContentBlock[] }
}

/** Whose events they are: those of Copilot in VS Code are in its folder. */
interface CopilotSource {
  /** As the file has it, for events whose first one is damaged. */
  readonly id?: string
  /** Of a session that does not say it. */
  readonly cwd?: string
  /** What else the header says of where it is from. */
  readonly source?: Json
  /** Whether it is of a sub-agent: what that is asked has a source, too. */
  readonly isPart?: boolean
  /** What Copilot writes beside the events: `name`, `cwd`, `branch`. */
  readonly workspace?: Json
}

/** The conversion of the events of a session. */
export class CopilotConverter implements RecordConverter {
  readonly #writer: EntryWriter
  #start: Json | undefined
  #model = UNKNOWN
  #provider = "github-copilot"
  #title: string | undefined
  #systemPrompt: string | undefined
  /** Usage of calls to the model whose answer has not come yet, by the id of the call. */
  readonly #usage = new Map<string, Json>()
  #calls: Calls | undefined
  /** The names of calls that have no result yet, by their ids: one that runs in the background can come behind other messages. */
  readonly #open = new Map<string, string>()
  /** Commands of the user, by the ids of their calls. */
  readonly #commands = new Map<string, string>()
  readonly #subAgents = new Map<string, CopilotConverter>()
  /** Starts of sub-agents, by their calls. */
  readonly #starts = new Map<string, Json>()
  /** Of the sub-agent that was started last. */
  #started: Json = {}
  /** Whether there are records of usage: sums behind them repeat them. */
  #hasRecords = false
  /** By model, the tokens of output that replies of this run say, where it has no records. */
  readonly #output = new Map<string, number>()
  #saysOutput = false
  /** By model, what the last sums had. */
  #sums: ReadonlyMap<string, Json> = new Map()
  /** Whether Copilot notes its sums, so that the next run begins with them. */
  #notesSums = false
  /** What the user typed, by the ids of the events. */
  readonly #prompts = new Map<string, string>()
  /** The leaf before each event, to go back to. */
  readonly #before = new Map<string, string | null>()
  /** Images, which are attached by their ids. */
  readonly #assets = new Map<unknown, Json>()

  /** Texts of skills, by their digests. */
  readonly #skills = new Map<string, string>()
  /** What the model gets behind the results that have not come yet. */
  #notices: { readonly event: Json; readonly content: string }[] = []

  readonly #source: CopilotSource

  constructor(writer: EntryWriter, source: CopilotSource = {}) {
    this.#writer = writer
    this.#source = source
  }

  /** Events of sub-agents stand among those of the session. */
  kindOf(event: Json): string {
    return agentOf(event) === undefined ? String(event.type) : `subagent:${String(event.type)}`
  }

  record(event: Json, kind: string): RecordOutcome {
    const data = objectIn(event, "data")
    if (!data || typeof event.id !== "string") return undefined
    const agent = agentOf(event)
    if (agent !== undefined) return this.#ofSubAgent(agent, event, data, kind.slice("subagent:".length))
    this.#before.set(event.id, this.#writer.leaf)
    if (kind === STARTED) this.#startOf(data)
    if (kind === "session.resume") {
      this.#output.clear()
      this.#interruptCalls(event, this.#open.keys())
    }
    // A kind may be called as what all objects inherit: constructor.
    const handle = Object.hasOwn(this.#handlers, kind) ? this.#handlers[kind] : undefined
    if (handle) return handle(event, data)
    if (kind === "abort") this.#interrupt(event)
    if (kind === "session.shutdown" || kind === "abort") this.#endTurn(event)
    if (kind === "session.shutdown" && this.#addSums(event, data)) return "converted"
    this.#notesSums ||= kind === "session.usage_checkpoint"
    const skipped = SKIPPED.get(kind) ?? (kind.startsWith("model.") ? "traces a call to the model" : undefined)
    if (skipped !== undefined) return { skipped }
    return KEPT.has(kind) ? "kept" : undefined
  }

  end(): HeaderFields | undefined {
    this.#endCalls()
    for (const part of this.#subAgents.values()) part.end()
    const start = this.#start ?? {}
    const data = objectIn(start, "data") ?? {}
    const [said] = this.#writer.entries.filter(({ type }) => type === "message")
    const id = textIn(data, "sessionId") ?? (said && this.#source.id)
    if (id === undefined) return undefined
    const context = objectIn(data, "context") ?? {}
    const version = textIn(data, "copilotVersion")
    const workspace = this.#source.workspace ?? {}
    const branch = textIn(context, "branch") ?? textIn(workspace, "branch")
    const repository = textIn(context, "hostType") === "ado" ? undefined : textIn(context, "repository")
    // The name that the user gave is nowhere else; older versions called it a summary.
    const title = textIn(workspace, "name") ?? this.#title ?? textIn(workspace, "summary")
    return {
      id,
      timestamp: textIn(data, "startTime") ?? textIn(start, "timestamp") ?? said?.timestamp,
      cwd: textIn(context, "cwd") ?? textIn(workspace, "cwd") ?? this.#source.cwd ?? promptFolder(this.#systemPrompt),
      title,
      source: { ...this.#source.source, version, branch, repository: repository && `https://github.com/${repository}` },
    }
  }

  readonly #handlers: Readonly<Record<string, (event: Json, data: Json) => RecordOutcome>> = {
    "session.start": (event, data) => {
      this.#start ??= event
      this.#model = textIn(data, "selectedModel") ?? this.#model
      return "converted"
    },
    "session.model_change": (event, data) => {
      this.#model = textIn(data, "newModel") ?? this.#model
      const change = { provider: this.#provider, modelId: this.#model, model: `${this.#provider}/${this.#model}` }
      this.#writer.add("model_change", entryPlace(event), change)
      return "converted"
    },
    "session.import_legacy": (event, data) => this.#importLegacy(event, objectIn(data, "legacySession") ?? {}),
    "session.title_changed": (event, data) => {
      // The name that the user gave stays.
      if (this.#source.workspace?.user_named === "true") return "kept"
      this.#title = textIn(data, "title")
      this.#writer.add("session_info", entryPlace(event), { name: this.#title ?? "" })
      return "converted"
    },
    [RECORD]: (event, data) => this.#usageRecord(event, objectIn(data, "usage")),
    "session.compaction_complete": (event, data) => this.#compaction(event, data),
    "session.snapshot_rewind": (_, data) => this.#rewind(String(data.upToEventId)),
    "session.binary_asset": (_, data) => {
      this.#assets.set(data.assetId, data)
      return "converted"
    },
    "system.message": (event, data) => this.#system(event, data),
    "system.notification": (event, data) => {
      const content = [{ type: "text", text: textIn(data, "content") ?? "" }]
      this.#writer.add("custom_message", entryPlace(event), {
        customType: "copilot.notification",
        content,
        display: true,
      })
      return "converted"
    },
    "session.error": (event, data) => this.#said(event, "copilot.error", data.message),
    "session.warning": (event, data) => this.#said(event, "copilot.warning", data.message),
    "session.context_cleared": (event, data) => {
      this.#endCalls()
      this.#open.clear()
      this.#writer.add("reset_boundary", entryPlace(event), { reason: "clear" })
      const first = textIn(data, "initialMessage")
      if (first !== undefined) this.#notice({ ...event, id: `${String(event.id)}:first` }, first)
      return "converted"
    },
    "session.mode_notice_delivered": (event, data) => this.#notice(event, textIn(data, "content")),
    "skill.context_delivered": (event, data) => this.#notice(event, textIn(data, "content")),
    "skill.context_delivered_ref": (event, data) => {
      const skill = this.#skills.get(String(data.contentId))
      return this.#notice(event, skill && `${textIn(data, "prefix") ?? ""}${skill}${textIn(data, "suffix") ?? ""}`)
    },
    "skill.invoked": (_, data) => {
      const content = textIn(data, "content")
      if (content !== undefined) this.#skills.set(digestOf(content), content)
      return "kept"
    },
    "user.message": (event, data) => this.#prompt(event, data),
    "assistant.message": (event, data) => this.#reply(event, data),
    "tool.user_requested": (_, data) => {
      this.#commands.set(String(data.toolCallId), String(objectIn(data, "arguments")?.command))
      return "kept"
    },
    "tool.execution_complete": (event, data) => this.#result(event, data),
  }

  /** A session of versions before 0.0.342, which wrote the messages of the API: each as the event that versions since write. */
  #said(event: Json, customType: string, text: unknown): RecordOutcome {
    if (typeof text !== "string") return "kept"
    this.#writer.notice(entryPlace(event), customType, text)
    return "converted"
  }

  #importLegacy(event: Json, { chatMessages, timeline, selectedModel, startTime }: Json): RecordOutcome {
    if (typeof selectedModel === "string") this.#model = selectedModel
    const prompts = objectsIn(timeline).filter(({ type }) => type === "user")
    for (const [at, message] of objectsIn(chatMessages).entries()) {
      const [type, data] = legacyEvent(message)
      const timestamp = type === "user.message" ? prompts.shift()?.timestamp : undefined
      const time = timestamp ?? (this.#writer.leaf === null ? startTime : undefined)
      this.#handlers[type]?.({ id: `${String(event.id)}:${at + 1}`, type, timestamp: time, data }, data)
    }
    return "converted"
  }

  /** What a sub-agent said is the transcript of a part; what it used is counted in the session too. */
  #ofSubAgent(agent: string, event: Json, data: Json, type: string): RecordOutcome {
    if (type === STARTED) this.#startOf(data)
    const started = this.#starts.get(String(data.parentToolCallId)) ?? this.#started
    const part = this.#subAgents.get(agent) ?? this.#startSubAgent(agent, event, started)
    const field = USAGE.get(type)
    const usage = field === undefined ? undefined : objectIn(data, field)
    if (usage) {
      this.#hasRecords ||= type === RECORD
      this.#addUsage(event, usage, "subagent")
    }
    const output = type === "assistant.message" ? this.#outputOf(data) : undefined
    if (output) this.#addUsage({ ...event, id: `${String(event.id)}:usage` }, output, "subagent")
    return part.record({ ...event, agentId: undefined, data: { ...data, parentToolCallId: undefined } }, type)
  }

  #startOf(data: Json): void {
    this.#started = data
    this.#starts.set(String(data.toolCallId), data)
  }

  #startSubAgent(agent: string, event: Json, started: Json): CopilotConverter {
    const [call, title] = [textIn(started, "toolCallId"), textIn(started, "agentDisplayName")]
    const named = { ...(call !== undefined && { call }), ...(title !== undefined && { title }) }
    const part = { name: `${agent.replace(/[^\w.-]/g, "_")}.jsonl`, role: "subagent", ...named }
    const { id, time } = entryPlace(event)
    const converter = new CopilotConverter(this.#writer.transcript({ id: `${id}:part`, time }, part), { isPart: true })
    this.#subAgents.set(agent, converter)
    return converter
  }

  #usageRecord(event: Json, usage: Json | undefined): RecordOutcome {
    if (!usage) return undefined
    this.#hasRecords = true
    this.#provider = textIn(usage, "modelProvider") ?? this.#provider
    const call = textIn(usage, "apiCallId")
    if (call === undefined) this.#addUsage(event, usage, undefined)
    else this.#usage.set(call, usage)
    return "converted"
  }

  /** What a call used that has no reply of its own, such as one that summarizes. */
  #addUsage(event: Json, usage: Json, role: string | undefined): void {
    const model = {
      provider: textIn(usage, "modelProvider") ?? this.#provider,
      model: textIn(usage, "model") ?? this.#model,
    }
    this.#writer.add("usage", entryPlace(event), { ...model, ...(role && { role }), usage: tokensOf(usage) })
  }

  /** What a reply says of its output, where a run has no records of usage: until its end, nothing else does. */
  #outputOf(data: Json): Json | undefined {
    const [outputTokens, model] = [countIn(data, "outputTokens"), textIn(data, "model") ?? this.#model]
    if (this.#hasRecords || outputTokens === 0 || model === UNKNOWN) return undefined
    this.#saysOutput = true
    this.#output.set(model, (this.#output.get(model) ?? 0) + outputTokens)
    return { model, outputTokens }
  }

  /** Versions before records of usage write its sums, by model, when they end: with what replies and, where they go on, sums before have. */
  #addSums(event: Json, data: Json): boolean {
    const sums = new Map<string, Json>()
    for (const [model, metrics] of Object.entries(objectIn(data, "modelMetrics") ?? {})) {
      const usage = isObject(metrics) ? objectIn(metrics, "usage") : undefined
      if (usage) sums.set(model, usage)
    }
    const isCounted = this.#hasRecords
    const before = this.#goOn(sums) ? this.#sums : new Map<string, Json>()
    for (const [at, [model, usage]] of isCounted ? [] : [...sums].entries()) {
      const known = before.get(model) ?? {}
      const used = Object.fromEntries(COUNTS.map((count) => [count, countIn(usage, count) - countIn(known, count)]))
      const outputTokens = Math.max(0, Number(used.outputTokens) - (this.#output.get(model) ?? 0))
      this.#addUsage({ ...event, id: `${String(event.id)}:usage${at}` }, { ...used, model, outputTokens }, undefined)
    }
    this.#sums = sums
    this.#output.clear()
    return !isCounted && sums.size > 0
  }

  /**
   * Whether sums have those before them, as of newer versions: then there is at least as much of each, and what came to them is no less than what the
   * replies of this run say. Of older versions they are those of one run.
   */
  #goOn(sums: ReadonlyMap<string, Json>): boolean {
    const added = (model: string, count: string): number =>
      countIn(sums.get(model) ?? {}, count) - countIn(this.#sums.get(model) ?? {}, count)
    const has = [...this.#sums.keys()].every((model) => COUNTS.every((count) => added(model, count) >= 0))
    const isMore = [...sums.keys()].every((model) => added(model, "outputTokens") >= (this.#output.get(model) ?? 0))
    return has && (this.#saysOutput ? isMore : this.#notesSums)
  }

  #system(event: Json, data: Json): RecordOutcome {
    const prompt = textIn(data, "content")
    if (prompt === undefined || prompt === this.#systemPrompt) return { skipped: "repeats the system prompt" }
    this.#systemPrompt = prompt
    this.#writer.add("session_init", entryPlace(event), { systemPrompt: prompt, task: "", tools: [] })
    return "converted"
  }

  /** `transformedContent` is what the model got. */
  #prompt(event: Json, data: Json): RecordOutcome {
    this.#endTurn(event)
    const typed = textIn(data, "content") ?? ""
    const isSaid = isSaidByUser(data)
    if (isSaid) this.#prompts.set(String(event.id), typed)
    const text = textIn(data, "transformedContent") ?? typed
    const images = objectsIn(data.attachments).flatMap((attached) => this.#attachment(attached))
    const content: ContentBlock[] = [{ type: "text", text }, ...images]
    if (isSaid || this.#source.isPart)
      this.#writer.message(entryPlace(event), { role: "user", content, ...(text !== typed && { prompt: typed }) })
    else
      this.#writer.add("custom_message", entryPlace(event), { customType: "copilot.message", content, display: false })
    return "converted"
  }

  /** Attached files stand in the text; images are sent, with their paths. */
  #attachment(attached: Json): ContentBlock[] {
    const { data, mimeType } = { ...attached, ...this.#assets.get(attached.assetId) }
    if (typeof data !== "string" || typeof mimeType !== "string" || !mimeType.startsWith("image/")) return []
    const path = textIn(attached, "path")
    const text = path === undefined ? "Attached image" : `Image file at path ${path}`
    return [
      ...(attached.type === undefined ? [] : [{ type: "text" as const, text }]),
      { type: "image", data, mimeType },
    ]
  }

  #reply(event: Json, data: Json): RecordOutcome {
    this.#endCalls()
    const requests = objectsIn(data.toolRequests)
    const call = textIn(data, "apiCallId")
    const usage = call === undefined ? undefined : this.#usage.get(call)
    if (call !== undefined) this.#usage.delete(call)
    const used = usage ?? this.#outputOf(data)
    this.#model = textIn(data, "model") ?? textIn(used ?? {}, "model") ?? this.#model
    const content = replyBlocks(data, requests)
    const hasThoughts = content.some(isThought)
    const reply: Reply = {
      role: "assistant",
      content,
      // The models of one provider get each other's thoughts.
      ...(hasThoughts && { foreignThinking: "kept" }),
      provider: this.#provider,
      model: this.#model,
      usage: used ? tokensOf(used) : usageFields(),
      stopReason: requests.length > 0 ? "toolUse" : "stop",
    }
    const entry = this.#writer.message(entryPlace(event), reply)
    const said = content.filter((block) => !isThought(block))
    if (hasThoughts && objectIn(data, "reasoningBlocks")?.provider === RESPONSES) {
      const replacement = said.length > 0 ? { content: said } : null
      this.#writer.add("context_edit", { ...entryPlace(event), id: `${entry}:said` }, { targetId: entry, replacement })
    }
    const ids = requests.map(({ toolCallId }) => String(toolCallId))
    const names = new Map(requests.map(({ toolCallId, name }) => [String(toolCallId), String(name)]))
    const interrupted = hasThoughts && { entry, content: said }
    this.#calls = { ids, names, results: new Map(), ...(interrupted && { interrupted }) }
    for (const [id, name] of names) this.#open.set(id, name)
    return "converted"
  }

  /** Results come as the tools end, and are sent in the order of the calls. */
  #result(event: Json, data: Json): RecordOutcome {
    const id = String(data.toolCallId)
    const calls = this.#calls
    if (this.#commands.has(id)) return this.#commandResult(event, data, this.#commands.get(id) ?? "")
    if (!this.#open.has(id)) return this.#partOf(id)?.record(event, String(event.type)) ?? "kept"
    if (!calls?.names.has(id)) {
      this.#addResult(event)
      return "converted"
    }
    calls.results.set(id, event)
    for (let next = calls.results.get(calls.ids[0] ?? ""); next; next = calls.results.get(calls.ids[0] ?? "")) {
      calls.ids.shift()
      this.#addResult(next)
    }
    if (calls.ids.length === 0) this.#addNotices()
    return "converted"
  }

  /** The sub-agent that made a call. */
  #partOf(call: string): CopilotConverter | undefined {
    return [...this.#subAgents.values()].find((part) => part.#open.has(call))
  }

  /** What the runtime says to the model: behind results that it comes between. */
  #notice(event: Json, content: string | undefined): RecordOutcome {
    if (content === undefined) return "kept"
    this.#notices.push({ event, content })
    if ((this.#calls?.ids.length ?? 0) === 0) this.#addNotices()
    return "converted"
  }

  #addNotices(): void {
    for (const { event, content } of this.#notices)
      this.#writer.add("custom_message", entryPlace(event), { customType: "copilot.notice", content, display: false })
    this.#notices = []
  }

  /** In the words in which the model gets it. */
  #commandResult(event: Json, data: Json, command: string): RecordOutcome {
    const exit = data.success === true ? "exit code 0" : "non-zero exit code"
    const ran = `The user executed a shell command directly in their terminal (${exit}).\n\nCommand:\n${command}\n\nOutput:\n${resultText(data)}`
    const content = [{ type: "text", text: `<user_shell_command_output>\n${ran}\n</user_shell_command_output>` }]
    this.#writer.add("custom_message", entryPlace(event), { customType: "copilot.shell", content, display: true })
    return "converted"
  }

  /** The model gets a result of calls that the user ended. */
  #interrupt(event: Json): void {
    const calls = this.#calls
    const isEnded = calls?.ids.some((id) => !calls.results.has(id))
    this.#interruptCalls(event, calls?.ids ?? [])
    if (!isEnded || !calls?.interrupted) return
    const { entry: targetId, content } = calls.interrupted
    const place = { id: `${String(event.id)}:edit`, time: entryPlace(event).time }
    this.#writer.add("context_edit", place, { targetId, replacement: { content } })
  }

  /** Adds the result that Copilot sends of calls without one. What comes later for them it does not send, as what it makes when it opens the session. */
  #interruptCalls({ id, timestamp }: Json, ids: Iterable<string>): void {
    const calls = this.#calls
    for (const toolCallId of ids) {
      if (calls?.results.has(toolCallId)) continue
      const data = { toolCallId, error: { message: INTERRUPTED } }
      const result = { id: `${String(id)}:${toolCallId}`, timestamp, data }
      if (calls?.names.has(toolCallId)) calls.results.set(toolCallId, result)
      else this.#addResult(result)
    }
    this.#endCalls()
  }

  /** What was used for answers that never came counts too. */
  #endTurn(event: Json): void {
    this.#endCalls()
    for (const usage of this.#usage.values())
      this.#addUsage({ ...event, id: `${String(event.id)}:usage` }, usage, undefined)
    this.#usage.clear()
  }

  /** Results of calls before which another one has none. */
  #endCalls(): void {
    const calls = this.#calls
    this.#calls = undefined
    for (const id of calls?.ids ?? []) {
      const event = calls?.results.get(id)
      if (event) this.#addResult(event)
    }
    this.#addNotices()
  }

  #addResult(event: Json): void {
    const data = objectIn(event, "data") ?? {}
    const { content: _, ...details } = objectIn(data, "result") ?? {}
    const toolCallId = String(data.toolCallId)
    const message = { role: "toolResult" as const, toolCallId, toolName: this.#open.get(toolCallId) ?? UNKNOWN }
    this.#open.delete(toolCallId)
    const [text, images] = [{ type: "text" as const, text: resultText(data) }, this.#resultImages(details)]
    const place = entryPlace(event)
    const entry = this.#writer.message(place, {
      ...message,
      content: [text, ...images],
      ...(Object.keys(details).length > 0 && { details }),
      isError: data.success !== true,
    })
    const edit = { targetId: entry, replacement: { content: [text] } }
    if (images.length > 0) this.#writer.add("context_edit", { ...place, id: `${entry}:text` }, edit)
  }

  /** The images of a result. Copilot stores them for the model, and sends the text alone. */
  #resultImages({ binaryResultsForLlm }: Json): ContentBlock[] {
    return objectsIn(binaryResultsForLlm).flatMap((result) => {
      const { data, mimeType } = { ...result, ...this.#assets.get(result.assetId) }
      if (result.type !== "image" || typeof data !== "string" || typeof mimeType !== "string") return []
      return [{ type: "image", data, mimeType }]
    })
  }

  #compaction(event: Json, data: Json): RecordOutcome {
    const summary = textIn(data, "summaryContent")
    const { id, time } = entryPlace(event)
    const usage = objectIn(data, "compactionTokensUsed")
    if (data.success !== true || summary === undefined) {
      // What it used counts all the same.
      if (usage) this.#addUsage({ ...event, id: `${id}:usage` }, usage, "compaction")
      return "kept"
    }
    this.#endCalls()
    this.#open.clear()
    const tokensBefore = countIn(data, "preCompactionTokens")
    const content = [{ type: "text", text: summaryText([...this.#prompts.values()], summary) }]
    const sentAs = [{ role: "user", content, timestamp: time ?? 0 }]
    this.#writer.add("compaction", { id, time }, { summary, sentAs, tokensBefore, firstKeptEntryId: id })
    if (usage) this.#addUsage({ ...event, id: `${id}:usage` }, usage, "compaction")
    return "converted"
  }

  #rewind(upTo: string): RecordOutcome {
    const before = this.#before.get(upTo)
    if (before === undefined) return "kept"
    const ids = [...this.#before.keys()]
    for (const id of ids.slice(ids.indexOf(upTo))) this.#prompts.delete(id)
    this.#calls = undefined
    this.#open.clear()
    this.#notices = []
    this.#writer.leaf = before
    return "converted"
  }
}

/** The sub-agent that an event is from: by its id, in older versions by the call that started it. */
function agentOf({ agentId, data }: Json): string | undefined {
  if (typeof agentId === "string") return agentId
  return isObject(data) ? textIn(data, "parentToolCallId") : undefined
}

/** Whether a person said it: what the runtime says in their name has a source or, of older versions, the tag of a skill. */
function isSaidByUser({ source = "user", isAutopilotContinuation, content }: Json): boolean {
  return source === "user" && isAutopilotContinuation !== true && !/^<skill-context[ >]/.test(String(content))
}

/** Where the system prompt of versions that wrote no folder says it. */
function promptFolder(systemPrompt = ""): string | undefined {
  return /^\* Current working directory: (.+)$/m.exec(systemPrompt)?.[1]
}

const INTERRUPTED = "The execution of this tool, or a previous tool was interrupted."

function entryPlace({ id, timestamp }: Json): { id: string; time: number | undefined } {
  const time = Date.parse(String(timestamp))
  return { id: String(id), time: Number.isNaN(time) ? undefined : time }
}

function isThought({ type }: ContentBlock): boolean {
  return type === "thinking"
}

/** What the model gets in the place of what was summarized. */
function summaryText(prompts: readonly string[], summary: string): string {
  const said = prompts.map((prompt) => `<user_message>\n${prompt}\n</user_message>\n`).join("")
  const before =
    "You were originally given instructions from a user over one or more turns. Here were the user messages:"
  return `Some of the conversation history has been summarized to free up context.\n\n${before}\n${said}\nHere is a summary of the prior context:\n<summary>\n${summary}\n</summary>`
}

/** As events name the text of a skill that they do not repeat. */
function digestOf(content: string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`
}

/** What the model gets of a result. */
function resultText(data: Json): string {
  const content = isObject(data.result) ? data.result.content : data.result
  return typeof content === "string" ? content : (textIn(objectIn(data, "error") ?? {}, "message") ?? "")
}

/** Counts of a call that sums have, too. */
const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"]

/** The input has the tokens of the cache. Older compactions name counts otherwise. Its `cost` counts requests, not money. */
function tokensOf(usage: Json) {
  const count = (name: string, before: string): number => countIn(usage, name) || countIn(usage, before)
  const cacheRead = count("cacheReadTokens", "cachedInput")
  const cacheWrite = countIn(usage, "cacheWriteTokens")
  const input = Math.max(0, count("inputTokens", "input") - cacheRead - cacheWrite)
  const reasoning = countIn(usage, "reasoningTokens")
  const tokens = usageFields({ input, output: count("outputTokens", "output"), cacheRead, cacheWrite })
  return { ...tokens, ...(reasoning > 0 && { reasoning }) }
}
