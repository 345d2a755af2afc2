import { contentText } from "@treelog/session-core"
import {
  type ConvertedRecords,
  countIn,
  type HeaderFields,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  type Reply,
  textIn,
  usageFields,
} from "../kit.js"
import { timeOf } from "./conversations.js"

/** The conversion of a conversation, with what it sees of those that it is a fork of. */
export class DurableConverter implements RecordConverter {
  readonly #session: ConvertedRecords
  #head: Json = {}
  /** The messages of each entry: their ids here, and their roles. */
  readonly #messages = new Map<unknown, { readonly id: string; readonly role: unknown }[]>()
  /** The calls of the last reply that are without a result. */
  #calls = new Set<unknown>()
  /** What replies used, by provider and model. */
  readonly #used = new Map<string, unknown[]>()
  /** The conversations that tasks started whose result has come. */
  readonly #placed = new Set<Json>()

  constructor(session: ConvertedRecords) {
    this.#session = session
  }

  kindOf({ record, kind, type }: Json): string {
    return record === "entry" ? String(kind) : record === "write" ? `write:${type}` : String(record)
  }

  record(record: Json, kind: string): RecordOutcome {
    if (record.record === "entry") return this.#entry(record, kind)
    if (record.record === "write") return undefined
    if (record.record === "damaged") {
      this.#session.report({ kind: "invalid-json", message: `Entry ${record.id} is no JSON` })
      return "kept"
    }
    this.#head = record
    return "converted"
  }

  end(): HeaderFields | undefined {
    const { id, first, children, documents } = this.#head
    if (typeof id !== "string") return undefined
    for (const child of objectsIn(children)) if (!this.#placed.has(child)) this.#part(child)
    const { "pi.agent": agent, "pi.usage": usage } = documents as Record<string, Json | undefined>
    this.#addUncounted(objectIn(usage ?? {}, "models") ?? {})
    const parentSession = textIn(this.#head, "parent")
    return { id, timestamp: isoTime(Number(first)), cwd: textIn(agent ?? {}, "cwd"), parentSession }
  }

  #entry(entry: Json, kind: string): RecordOutcome {
    const messages = objectsIn(entry.model).filter(({ role }) => typeof role === "string")
    const edits = objectsIn(entry.edits)
    // The numbers of entries are those of other stores too.
    const id = `${this.#head.store}-${entry.id}`
    if (entry.head !== undefined) this.#boundary(entry, id, messages)
    else if (messages.length + edits.length === 0) {
      if (!KNOWN.test(kind)) return undefined
      this.#add("custom", entry, id, { customType: `pi-durable.${kind}`, data: entry })
    }
    for (const [at, message] of entry.head === undefined ? messages.entries() : [])
      this.#message(entry, at === 0 ? id : `${id}:${at + 1}`, message)
    if (messages.length > 0 && entry.data !== undefined && !kind.startsWith("pi."))
      this.#add("custom", entry, `${id}:data`, { customType: `pi-durable.${kind}`, data: entry.data })
    for (const [at, edit] of edits.entries()) this.#edit(entry, `${id}:edit${at + 1}`, edit)
    return "converted"
  }

  #add(type: string, entry: Json, id: string, fields: object): void {
    this.#session.writer.add(type, { id, time: timeOf(entry) }, fields)
  }

  /** What a fork sees of others counts there. */
  #message(entry: Json, id: string, message: Json): void {
    const { role, content, toolCallId, stopReason } = message
    const said: Json = entry.isCopied ? { ...message, usage: undefined } : message
    const [isReply, name] = [role === "assistant", `${message.provider}/${message.model}`]
    if (isReply && !this.#used.get(name)?.push(said.usage)) this.#used.set(name, [said.usage])
    const fields = { ...said, ...(isReply && !said.usage && { usage: usageFields() }) } as unknown as Reply
    const added = this.#session.writer.message({ id, time: timeOf(entry) }, fields)
    this.#messages.set(entry.id, [...(this.#messages.get(entry.id) ?? []), { id: added, role }])
    const isSent = isReply ? !UNSENT.has(stopReason) : role !== "toolResult" || this.#calls.delete(toolCallId)
    const calls = objectsIn(isReply && isSent ? content : []).filter(({ type }) => type === "toolCall")
    if (isReply) this.#calls = new Set(calls.map((call) => call.id))
    if (!isSent) this.#add("context_edit", entry, `${added}:left-out`, { targetId: added, replacement: null })
    const child = objectsIn(this.#head.children).find(({ task }) => task !== undefined && task === entry.byTaskId)
    if (child && role === "toolResult") this.#part(child, String(toolCallId))
  }

  /** From a head on, the model gets its messages, and what is kept. */
  #boundary(entry: Json, id: string, messages: readonly Json[]): void {
    if (entry.head === entry.id) this.#calls.clear()
    const texts = messages.map(({ content }) => contentText((content ?? "") as string))
    const isText = (content: unknown): boolean =>
      typeof content === "string" || objectsIn(content).every(({ type }) => type === "text")
    const isPlain = messages.every(({ role, content }) => role === "user" && isText(content)) && messages.length < 2
    this.#add("compaction", entry, id, {
      summary: texts.join("\n\n"),
      ...(isPlain ? { verbatim: true } : { sentAs: messages }),
      firstKeptEntryId: `${this.#head.store}-${entry.head}`,
      tokensBefore: 0,
      ...(objectIn(entry, "system") && { systemMessage: entry.system }),
    })
  }

  /** Of a message, another content; what has another form leaves it out. */
  #edit(entry: Json, id: string, { target, action, messages }: Json): void {
    const targets = this.#messages.get(target) ?? []
    const [message, ...others] = action === "replace" ? objectsIn(messages) : []
    const isContent = message && others.length === 0 && targets.length === 1 && message.role === targets[0]?.role
    if (targets.length === 0 || (message && !isContent)) {
      const found = `Edit ${id} is of no message before it, or replaces one by what has another form`
      this.#session.report({ kind: "invalid-field", entryId: id, message: found })
    }
    const replacement = isContent ? { content: message.content } : null
    for (const { id: targetId } of targets) this.#add("context_edit", entry, id, { targetId, replacement })
  }

  #part(child: Json, call?: string): void {
    this.#placed.add(child)
    const part = { name: `${child.id}.jsonl`, role: "subagent", ...(call !== undefined && { call }) }
    this.#session.writer.part({ id: `${child.id}:part` }, part)
  }

  /** What calls used that have no entry: those that summarized. */
  #addUncounted(models: Json): void {
    for (const name of Object.keys(models)) {
      const [all, counted] = [countsIn(models[name]), (this.#used.get(name) ?? []).map(countsIn)]
      const left = all.map((count, at) => counted.reduce((rest, used) => Math.max(0, rest - (used[at] ?? 0)), count))
      const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cost = 0] = left
      const [provider = "", model = ""] = name.split(/\/(.*)/s)
      const fields = { provider, model, usage: usageFields({ input, output, cacheRead, cacheWrite, cost }) }
      if (left.some((count) => count > 0)) this.#session.writer.add("usage", { id: `${name}:uncounted` }, fields)
    }
  }
}

function countsIn(value: unknown): number[] {
  const usage = objectIn({ value }, "value") ?? {}
  const cost = countIn(objectIn(usage, "cost") ?? {}, "total")
  return [...["input", "output", "cacheRead", "cacheWrite"].map((field) => countIn(usage, field)), cost]
}

/** Kinds that are not those of a later version: of pi-durable's own, and of programs. */
const KNOWN = /^(?:pi\.(?:user|assistant|tool-result|system|reset|compaction)$|(?!pi\.))/

/** Replies that pi-durable does not send. */
const UNSENT: ReadonlySet<unknown> = new Set(["aborted", "error", "deferred"])
