import {
  type ConvertedRecords,
  type EntryWriter,
  type HeaderFields,
  isObject,
  type Json,
  objectIn,
  objectsIn,
  type RecordConverter,
  type RecordOutcome,
  textIn,
} from "../kit.js"
import { sentReply } from "./sent-reply.js"
import { typedText } from "./typed-text.js"

/** Entries of pi's format, which are taken as they are. */
const ENTRIES: ReadonlySet<string> = new Set([
  ...["message", "thinking_level_change", "model_change", "compaction", "branch_summary"],
  ...["custom", "custom_message", "label", "session_info"],
])

/** The conversion of the events of a session, which are entries of pi with a navigation of their own. */
export class OpenclawConverter implements RecordConverter {
  readonly #id: string
  readonly #writer: EntryWriter
  /** Of a file, as the list of sessions beside it has it. */
  readonly #listed: Json
  #window: Json = {}
  #header: Json | undefined
  /** The entry that an id of an event means. */
  readonly #places = new Map<string, string | null>()
  /** What follows an entry goes on from this one, where an event made several. */
  readonly #tails = new Map<string, string>()
  /** Calls of replies that are not sent, whose results are not sent, either. */
  readonly #unsentCalls = new Set<string>()
  /** What is sent for a call of the last reply that was lost. */
  #lost = LOST
  /** The last reset and all that follows it: nothing goes on from before it. */
  #afterReset: Set<string> | undefined

  constructor({ id, writer, facts }: ConvertedRecords) {
    this.#listed = facts
    this.#id = id
    this.#writer = writer
  }

  kindOf({ type }: Json): string {
    return String(type)
  }

  record(event: Json, kind: string): RecordOutcome {
    if (kind === "window") {
      this.#window = event
      return "converted"
    }
    if (kind === "session") {
      if (this.#header) return "kept"
      this.#header = event
      return "converted"
    }
    if (kind === "leaf") return this.#goTo(event)
    if (typeof event.id !== "string" || event.id === "") return undefined
    const parent = this.#parentOf(event)
    if (!ENTRIES.has(kind) && kind !== "reset") {
      // What follows an unknown event goes on from before it.
      this.#places.set(event.id, parent)
      return undefined
    }
    const before = this.#writer.leaf
    const own = kind === "reset" ? this.#addReset(event, parent) : this.#addEntry(event, kind, parent)
    this.#places.set(event.id, own)
    if (this.#writer.leaf !== null && this.#writer.leaf !== own) this.#tails.set(own, this.#writer.leaf)
    if (kind === "reset") this.#afterReset = new Set([own])
    else if (parent !== null && this.#afterReset?.has(parent))
      for (const added of [own, this.#tailOf(own)]) this.#afterReset.add(String(added))
    if (event.appendMode === "side") this.#writer.leaf = before
    return "converted"
  }

  end(): HeaderFields | undefined {
    const [said] = this.#writer.entries.filter(({ type }) => type === "message")
    if (!this.#header && !said) return undefined
    const [header, window] = [this.#header ?? {}, this.#window]
    const isCurrent = window.current_session_id === window.session_id
    const named = isCurrent ? (textIn(window, "node_name") ?? textIn(window, "label")) : undefined
    const title = named ?? textIn(this.#listed, "title")
    const isFork = window.reason === "fork" || window.reason === "rewind"
    const parent =
      textIn(header, "parentSession") ??
      textIn(window, "fork_source_session_id") ??
      (isFork ? textIn(window, "previous_session_id") : undefined)
    return {
      id: this.#id || (textIn(header, "id") ?? ""),
      timestamp: textIn(header, "timestamp") ?? said?.timestamp,
      cwd: textIn(header, "cwd"),
      title,
      parentSession: parent,
      source: { archived: isCurrent && Number(window.archived_at) > 0 },
    }
  }

  /** What the model gets of a message, where that is not what is stored. */
  #sentContent(said: Json): readonly Json[] | null | undefined {
    // Of commands of the user treelog has that itself.
    if (said.excludeFromContext === true) return said.role === "bashExecution" ? undefined : null
    if (said.role === "toolResult") {
      if (this.#unsentCalls.has(String(said.toolCallId))) return null
      return isMade(said) ? [{ type: "text", text: this.#lost.text }] : undefined
    }
    if (said.role !== "assistant") return undefined
    this.#lost = lostIn(said)
    const sent = sentReply(said)
    for (const { type, id } of objectsIn(said.content))
      if (type === "toolCall") this.#unsentCalls[sent === null ? "add" : "delete"](String(id))
    return sent
  }

  /** An event whose parent is missing, unknown or from before a reset follows the leaf. */
  #parentOf({ parentId, appendMode }: Json): string | null {
    const { leaf } = this.#writer
    const named = typeof parentId === "string" ? this.#places.get(parentId) : parentId === null ? null : undefined
    if (named === undefined) return leaf
    const isBefore = this.#afterReset !== undefined && (named === null || !this.#afterReset.has(named))
    return isBefore && appendMode !== "side" ? leaf : this.#tailOf(named)
  }

  /** One that names what is not there, or what is before a reset, goes nowhere. */
  #goTo({ id, targetId }: Json): RecordOutcome {
    const target = typeof targetId === "string" ? this.#places.get(targetId) : targetId === null ? null : undefined
    if (target === undefined) return "kept"
    if (!this.#afterReset || (target !== null && this.#afterReset.has(target))) {
      this.#writer.leaf = this.#tailOf(target)
      if (typeof id === "string") this.#places.set(id, target)
    }
    return "converted"
  }

  #tailOf(entry: string | null): string | null {
    return entry === null ? null : (this.#tails.get(entry) ?? entry)
  }

  /** A reset that keeps the last messages is a compaction without a summary. */
  #addReset({ id, timestamp, reason, firstKeptEntryId }: Json, parent: string | null): string {
    const place = { id: String(id), time: millisecondsOf(timestamp), parent }
    const kept = typeof firstKeptEntryId === "string" ? this.#places.get(firstKeptEntryId) : undefined
    if (!kept) return this.#writer.add("reset_boundary", place, { reason })
    return this.#writer.add("compaction", place, {
      ...{ summary: "", verbatim: true, firstKeptEntryId: kept, tokensBefore: 0, reason },
    })
  }

  #addEntry(event: Json, kind: string, parent: string | null): string {
    const { type: _, id, parentId: __, timestamp, appendMode: ___, message, ...fields } = event
    const place = { id: String(id), time: millisecondsOf(timestamp), parent }
    if (kind !== "message") return this.#writer.add(kind, place, this.#withPlaces(fields))
    const said = withBlocks((message ?? {}) as Json)
    const isOwn = said.role === "user" && said.prompt === "" && said.excludeFromContext !== true
    if (isOwn && objectsIn(said.content).every(({ type }) => type === "text"))
      return this.#writer.add("custom_message", place, {
        ...{ ...fields, customType: "openclaw.context" },
        ...{ content: said.content, display: false },
      })
    const own = this.#writer.add(kind, place, { ...fields, message: said })
    const content = this.#sentContent(said)
    if (content !== undefined) {
      const replacement = content && { content }
      this.#writer.add("context_edit", { id: `${own}:excluded`, time: place.time }, { targetId: own, replacement })
    }
    const child = objectIn(this.#window, "children")?.[String(objectIn(said, "details")?.childSessionKey)]
    if (typeof child !== "string") return own
    const part = { name: `${child}.jsonl`, role: "subagent", call: String(said.toolCallId) }
    this.#writer.part({ id: `${own}:part`, time: place.time }, part)
    return own
  }

  /** Ids of events that are in no entry of their own are those of what they mean. */
  #withPlaces(fields: Json): Json {
    const { firstKeptEntryId, targetId } = fields
    const placeOf = (id: unknown): unknown => (typeof id === "string" ? (this.#places.get(id) ?? id) : id)
    return {
      ...fields,
      ...(firstKeptEntryId !== undefined && { firstKeptEntryId: placeOf(firstKeptEntryId) }),
      ...(targetId !== undefined && { targetId: placeOf(targetId) }),
    }
  }
}

/** Replies and results of older versions can have a text, or one block, in the place of blocks. OpenClaw sends more than it stores. */
function withBlocks(message: Json): Json {
  const { role, content } = message
  if (role === "user") {
    const text = typeof content === "string" ? content : objectsIn(content).map((one) => textIn(one, "text"))[0]
    const prompt = text === undefined ? text : typedText(text)
    return prompt === text || message.prompt !== undefined ? message : { ...message, prompt }
  }
  if (role !== "assistant" && role !== "toolResult") return message
  const block = objectIn(message, "content")
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : block ? [block] : content
  if (role !== "assistant") return { ...message, content: blocks }
  const has = (wanted: string): boolean => objectsIn(blocks).some(({ type }) => type === wanted)
  const lost = has("toolCall") && { lostResult: lostIn(message) }
  const thoughts = has("thinking") && { foreignThinking: "text" }
  return { ...message, request: "rebuilt", ...lost, ...thoughts, content: blocks }
}

/** What OpenClaw gives its model for a call that was lost. */
const LOST = { text: "No result provided", isError: true }
/** What it stores for one. */
const MADE = "[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair."

function lostIn({ api }: Json): typeof LOST {
  return String(api).endsWith("-responses") ? { ...LOST, text: "aborted" } : LOST
}

/** Whether OpenClaw made a result for a call that was lost: it sends it in other words. */
function isMade({ isError, details, content }: Json): boolean {
  if (isError !== true) return false
  const isMarked = isObject(details) && details.openclawSyntheticMissingToolResult === true
  return isMarked || objectsIn(content).some(({ text }) => text === MADE)
}

function millisecondsOf(timestamp: unknown): number | undefined {
  const time = Date.parse(String(timestamp))
  return Number.isNaN(time) ? undefined : time
}
