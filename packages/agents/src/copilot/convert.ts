import { createHash } from "node:crypto"
import type { ContentBlock } from "@treelog/session-core"
import {
  countIn,
  type EntryWriter,
  type HeaderFields,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  type Reply,
  textIn,
  usageFields,
} from "../kit.js"
import { attachedBlocks, attachedText } from "./attachments.js"
import { agentOf, entryPlace } from "./event.js"
import { KEPT, SKIPPED } from "./kinds.js"
import { legacyEvent } from "./legacy-event.js"
import { replyBlocks } from "./reply-blocks.js"
import { CallResults, resultText } from "./results.js"
import { summaryText } from "./summary-text.js"
import { CopilotUsage, RECORD, tokensOf } from "./usage.js"

const STARTED = "subagent.started"
/** Kinds of information that Copilot does not show. */
const UNSHOWN: ReadonlySet<unknown> = new Set(["file_created", "ide_autoconnect_skipped"])
/** The API whose reasoning Copilot stores, and does not send again when it goes on. */
const RESPONSES = "openai-responses"

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
  readonly #usage: CopilotUsage
  readonly #results: CallResults
  #start: Json | undefined
  #title: string | undefined
  #systemPrompt: string | undefined
  /** Commands of the user, by the ids of their calls. */
  readonly #commands = new Map<string, string>()
  readonly #subAgents = new Map<string, CopilotConverter>()
  /** Starts of sub-agents, by their calls. */
  readonly #starts = new Map<string, Json>()
  /** Of the sub-agent that was started last. */
  #started: Json = {}
  /** What the user typed, by the ids of the events. */
  readonly #prompts = new Map<string, string>()
  /** The leaf before each event, to go back to. */
  readonly #before = new Map<string, string | null>()
  /** Images, which are attached by their ids. */
  readonly #assets = new Map<unknown, Json>()
  /** Texts of skills, by their digests. */
  readonly #skills = new Map<string, string>()
  readonly #source: CopilotSource

  constructor(writer: EntryWriter, source: CopilotSource = {}) {
    this.#writer = writer
    this.#source = source
    this.#usage = new CopilotUsage(writer)
    this.#results = new CallResults(writer, this.#assets)
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
      this.#usage.beginRun()
      this.#results.interruptAll(event)
    }
    // A kind may be called as what all objects inherit: constructor.
    const handle = Object.hasOwn(this.#handlers, kind) ? this.#handlers[kind] : undefined
    if (handle) return handle(event, data)
    if (kind === "abort") this.#results.interrupt(event)
    if (kind === "session.shutdown" || kind === "abort") this.#endTurn(event)
    if (kind === "session.shutdown" && this.#usage.addSums(event, data)) return "converted"
    if (kind === "session.usage_checkpoint") this.#usage.noteCheckpoint()
    const skipped = SKIPPED.get(kind) ?? (kind.startsWith("model.") ? "traces a call to the model" : undefined)
    if (skipped !== undefined) return { skipped }
    return KEPT.has(kind) ? "kept" : undefined
  }

  end(): HeaderFields | undefined {
    this.#results.end()
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
    // What Copilot does by itself, such as to remember: it goes on with the context of a session, and no person has it.
    const parentSession = textIn(data, "detachedFromSpawningParentSessionId")
    return {
      id,
      parentSession,
      timestamp: textIn(data, "startTime") ?? textIn(start, "timestamp") ?? said?.timestamp,
      cwd: textIn(context, "cwd") ?? textIn(workspace, "cwd") ?? this.#source.cwd ?? promptFolder(this.#systemPrompt),
      title,
      source: {
        ...this.#source.source,
        ...(parentSession !== undefined && { kind: "sdk" }),
        version,
        branch,
        repository: repository && `https://github.com/${repository}`,
      },
    }
  }

  readonly #handlers: Readonly<Record<string, (event: Json, data: Json) => RecordOutcome>> = {
    "session.start": (event, data) => {
      this.#start ??= event
      this.#usage.model = textIn(data, "selectedModel") ?? this.#usage.model
      return "converted"
    },
    "session.model_change": (event, data) => {
      this.#usage.model = textIn(data, "newModel") ?? this.#usage.model
      const change = {
        provider: this.#usage.provider,
        modelId: this.#usage.model,
        model: `${this.#usage.provider}/${this.#usage.model}`,
      }
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
    [RECORD]: (event, data) => this.#usage.record(event, objectIn(data, "usage")),
    "session.compaction_complete": (event, data) => this.#compaction(event, data),
    "session.snapshot_rewind": (_, data) => this.#rewind(String(data.upToEventId)),
    "session.binary_asset": (_, data) => {
      this.#assets.set(data.assetId, data)
      return "converted"
    },
    "system.message": (event, data) => this.#system(event, data),
    "system.notification": (event, data) => {
      const content = [{ type: "text", text: textIn(data, "content") ?? "" }]
      const fields = { customType: "copilot.notification", content, display: true }
      this.#writer.add("custom_message", entryPlace(event), fields)
      return "converted"
    },
    "session.error": (event, data) => this.#said(event, "copilot.error", data.message),
    "session.warning": (event, data) => this.#said(event, "copilot.warning", data.message),
    "session.info": (event, data) =>
      UNSHOWN.has(data.infoType) ? "kept" : this.#said(event, "copilot.info", data.message),
    "session.auto_mode_resolved": (event, data) => this.#said(event, "copilot.info", data.selectionReason),
    "session.handoff": (event, data) => this.#said(event, "copilot.handoff", data.summary),
    "session.context_cleared": (event, data) => {
      this.#results.close()
      this.#writer.add("reset_boundary", entryPlace(event), { reason: "clear" })
      const first = textIn(data, "initialMessage")
      if (first !== undefined) this.#results.notice({ ...event, id: `${String(event.id)}:first` }, first)
      return "converted"
    },
    "session.mode_notice_delivered": (event, data) => this.#results.notice(event, textIn(data, "content")),
    "skill.context_delivered": (event, data) => this.#results.notice(event, textIn(data, "content")),
    "skill.context_delivered_ref": (event, data) => {
      const skill = this.#skills.get(String(data.contentId))
      return this.#results.notice(
        event,
        skill && `${textIn(data, "prefix") ?? ""}${skill}${textIn(data, "suffix") ?? ""}`,
      )
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

  /** What Copilot says to the person. */
  #said(event: Json, customType: string, text: unknown): RecordOutcome {
    if (typeof text !== "string") return "kept"
    this.#writer.notice(entryPlace(event), customType, text)
    return "converted"
  }

  /** A session of versions before 0.0.342, which wrote the messages of the API: each as the event that versions since write. */
  #importLegacy(event: Json, { chatMessages, timeline, selectedModel, startTime }: Json): RecordOutcome {
    if (typeof selectedModel === "string") this.#usage.model = selectedModel
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
    this.#usage.addOfSubAgent(event, data, type)
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

  #system(event: Json, data: Json): RecordOutcome {
    const prompt = textIn(data, "content")
    if (prompt === undefined || prompt === this.#systemPrompt) return { skipped: "repeats the system prompt" }
    this.#systemPrompt = prompt
    this.#writer.add("session_init", entryPlace(event), { systemPrompt: prompt, task: "", tools: [] })
    return "converted"
  }

  #endTurn(event: Json): void {
    this.#results.end()
    this.#usage.addUnanswered(event)
  }

  /** `transformedContent` is what the model got. */
  #prompt(event: Json, data: Json): RecordOutcome {
    this.#endTurn(event)
    const typed = textIn(data, "content") ?? ""
    const isSaid = isSaidByUser(data)
    if (isSaid) this.#prompts.set(String(event.id), typed)
    const attachments = objectsIn(data.attachments).map((one) => ({
      ...one,
      ...this.#assets.get(one.assetId),
      type: one.type,
    }))
    const text = `${textIn(data, "transformedContent") ?? typed}${attachedText(attachments)}`
    const content: ContentBlock[] = [{ type: "text", text }, ...attachments.flatMap(attachedBlocks)]
    if (isSaid || this.#source.isPart)
      this.#writer.message(entryPlace(event), { role: "user", content, ...(text !== typed && { prompt: typed }) })
    else
      this.#writer.add("custom_message", entryPlace(event), { customType: "copilot.message", content, display: false })
    return "converted"
  }

  #reply(event: Json, data: Json): RecordOutcome {
    this.#results.end()
    const requests = objectsIn(data.toolRequests)
    const used = this.#usage.ofReply(data)
    this.#usage.model = textIn(data, "model") ?? textIn(used ?? {}, "model") ?? this.#usage.model
    const content = replyBlocks(data, requests)
    const hasThoughts = content.some(isThought)
    const reply: Reply = {
      role: "assistant",
      content,
      // The models of one provider get each other's thoughts.
      ...(hasThoughts && { foreignThinking: "kept" }),
      provider: this.#usage.provider,
      model: this.#usage.model,
      usage: used ? tokensOf(used) : usageFields(),
      stopReason: requests.length > 0 ? "toolUse" : "stop",
    }
    const entry = this.#writer.message(entryPlace(event), reply)
    const said = content.filter((block) => !isThought(block))
    const reasoning = objectIn(data, "reasoningBlocks")
    // A thought without blocks, as versions before these wrote it, is shown, and not sent.
    if (hasThoughts && (!reasoning || reasoning.provider === RESPONSES)) {
      const replacement = said.length > 0 ? { content: said } : null
      this.#writer.add("context_edit", { ...entryPlace(event), id: `${entry}:said` }, { targetId: entry, replacement })
    }
    this.#results.begin(requests, hasThoughts ? { entry, content: said } : undefined)
    return "converted"
  }

  #result(event: Json, data: Json): RecordOutcome {
    const id = String(data.toolCallId)
    const command = this.#commands.get(id)
    if (command !== undefined) return this.#commandResult(event, data, command)
    if (!this.#results.isOpen(id)) return this.#partOf(id)?.record(event, String(event.type)) ?? "kept"
    this.#usage.addOfTool(event, data)
    this.#results.add(event, id)
    return "converted"
  }

  /** The sub-agent that made a call. */
  #partOf(call: string): CopilotConverter | undefined {
    return [...this.#subAgents.values()].find((part) => part.#results.isOpen(call))
  }

  /** In the words in which the model gets it. */
  #commandResult(event: Json, data: Json, command: string): RecordOutcome {
    const exit = data.success === true ? "exit code 0" : "non-zero exit code"
    const ran = `The user executed a shell command directly in their terminal (${exit}).\n\nCommand:\n${command}\n\nOutput:\n${resultText(data)}`
    const content = [{ type: "text", text: `<user_shell_command_output>\n${ran}\n</user_shell_command_output>` }]
    this.#writer.add("custom_message", entryPlace(event), { customType: "copilot.shell", content, display: true })
    return "converted"
  }

  #compaction(event: Json, data: Json): RecordOutcome {
    const summary = textIn(data, "summaryContent")
    const { id, time } = entryPlace(event)
    const usage = objectIn(data, "compactionTokensUsed")
    if (data.success !== true || summary === undefined) {
      // What it used counts all the same.
      if (usage) this.#usage.add({ ...event, id: `${id}:usage` }, usage, "compaction")
      return "kept"
    }
    this.#results.close()
    const tokensBefore = countIn(data, "preCompactionTokens")
    const content = [{ type: "text", text: summaryText([...this.#prompts.values()], summary) }]
    const sentAs = [{ role: "user", content, timestamp: time ?? 0 }]
    this.#writer.add("compaction", { id, time }, { summary, sentAs, tokensBefore, firstKeptEntryId: id })
    if (usage) this.#usage.add({ ...event, id: `${id}:usage` }, usage, "compaction")
    return "converted"
  }

  #rewind(upTo: string): RecordOutcome {
    const before = this.#before.get(upTo)
    if (before === undefined) return "kept"
    const ids = [...this.#before.keys()]
    for (const id of ids.slice(ids.indexOf(upTo))) this.#prompts.delete(id)
    this.#results.drop()
    this.#writer.leaf = before
    return "converted"
  }
}

/**
 * Whether a person said it, also as a command, a schedule or the objective of the autopilot: what the runtime says in their name has another source
 * or, of older versions, the tag of a skill.
 */
function isSaidByUser({ source = "user", isAutopilotContinuation, content }: Json): boolean {
  const isOfUser = /^(?:user$|command-|schedule-|autopilot-)/.test(String(source))
  return isOfUser && isAutopilotContinuation !== true && !/^<skill-context[ >]/.test(String(content))
}

/** Where the system prompt of versions that wrote no folder says it. */
function promptFolder(systemPrompt = ""): string | undefined {
  return /^\* Current working directory: (.+)$/m.exec(systemPrompt)?.[1]
}

function isThought({ type }: ContentBlock): boolean {
  return type === "thinking"
}

/** As events name the text of a skill that they do not repeat. */
function digestOf(content: string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`
}
