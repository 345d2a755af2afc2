import { createHash } from "node:crypto"
import { type ContentBlock, contentText } from "@treelog/session-core"
import {
  type ConvertedRecords,
  callArguments,
  countIn,
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
  without,
} from "../kit.js"
import { fileBlocks } from "../opencode/blocks.js"
import { folderIn } from "../vscode/convert.js"
import { cursorIn, SUMMARY } from "./chats.js"

/**
 * The conversion of a transcript, whose records have no ids and no times: the id of an entry is the digest of its record and of all before, so that
 * entries of different transcripts are not taken for copies.
 */
export class CursorAgentConverter implements RecordConverter {
  readonly #writer: EntryWriter
  readonly #id: string
  readonly #cwd: string | undefined
  readonly #names = new Map<string, string>()
  #last = ""
  #isSession = false
  /** Of the last prompt. */
  #time: number | undefined
  #started: number | undefined
  /** Of a chat in a database: what that says of it. */
  #chat: Json = {}
  #model = "unknown"
  readonly #facts: Json

  constructor({ writer, id, cwd, facts }: ConvertedRecords) {
    this.#writer = writer
    this.#id = id
    this.#cwd = cwd
    this.#facts = facts ?? {}
  }

  kindOf({ role, type }: Json): string {
    return String(type === SUMMARY ? type : (role ?? type))
  }

  record(record: Json, kind: string): RecordOutcome {
    const id = createHash("sha256").update(this.#last).update(JSON.stringify(record)).digest("hex").slice(0, 16)
    this.#last = id
    if (kind === "turn_ended" || kind === "error") {
      // A turn that ended before anything was said.
      this.#isSession = true
      const error = textIn(record, "error")
      if (error === undefined) return { skipped: "the end of a turn" }
      this.#writer.notice({ id, time: this.#time }, "cursor.error", error)
      return "converted"
    }
    if (kind === "chat") {
      this.#chat = record
      this.#model = textIn(record, "lastUsedModel") ?? this.#model
      return "converted"
    }
    if (kind === "damaged" || kind === "missing" || kind === "metadata") return "kept"
    const stored = storedIn(objectIn(record, "message") ?? record)
    this.#model = stored.map(modelOf).find((model) => model !== undefined) ?? this.#model
    const blocks = stored.flatMap(blocksOf)
    if (kind === SUMMARY) this.#compaction(id, blocks, objectsIn(record.before))
    else if (kind === "user" || kind === "tool") this.#prompt(id, blocks, cursorIn(record))
    else if (kind === "assistant") this.#reply(id, blocks)
    else if (kind === "system")
      this.#writer.message({ id }, { role: "system", content: blocks as unknown as ContentBlock[] } as never)
    else return undefined
    this.#isSession = true
    return "converted"
  }

  end(): HeaderFields | undefined {
    if (!this.#isSession) return undefined
    const started = timeOf(this.#chat.createdAt) ?? this.#started ?? 0
    this.#addRuns()
    return {
      id: this.#id,
      timestamp: isoTime(started),
      cwd: this.#cwd ?? folderIn(this.#chat),
      title: this.#title(),
      source: { kind: this.#kind(), archived: this.#facts.archived === true },
    }
  }

  #kind(): "subtask" | "sdk" | undefined {
    if (this.#facts.isSubagent === true) return "subtask"
    return this.#facts.runs === undefined ? undefined : "sdk"
  }

  /** What each run of the SDK used. */
  #addRuns(): void {
    for (const run of objectsIn(this.#facts.runs)) {
      const used = objectIn(run, "usage") ?? {}
      const reasoning = countIn(used, "reasoningTokens")
      const usage = usageFields({
        input: countIn(used, "inputTokens"),
        output: countIn(used, "outputTokens"),
        cacheRead: countIn(used, "cacheReadTokens"),
        cacheWrite: countIn(used, "cacheWriteTokens"),
      })
      const place = { id: `run:${run.id}`, time: Date.parse(String(run.at)) }
      const model = textIn(run, "model") ?? this.#model
      this.#writer.add("usage", place, {
        provider: "cursor",
        model,
        usage: { ...usage, ...(reasoning > 0 && { reasoning }) },
      })
    }
  }

  /** Until a chat has one, Cursor calls it New Agent. */
  #title(): string | undefined {
    const names = [textIn(this.#chat, "name"), textIn(this.#facts, "title")]
    return names.find((name) => name !== undefined && name !== "New Agent")
  }

  /** @param said what Cursor says of the message */
  #prompt(id: string, blocks: readonly Json[], said: Json): void {
    const outcome = objectIn(said, "highLevelToolCallResult") ?? {}
    const isFailed = [outcome, objectIn(outcome, "output")].some((one) => one?.isError === true)
    for (const { type, tool_use_id, content, is_error } of blocks) {
      if (type !== "tool_result") continue
      const toolCallId = String(tool_use_id)
      const text = typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content)
      const result = {
        toolCallId,
        toolName: this.#names.get(toolCallId) ?? "unknown",
        isError: is_error === true || isFailed,
      }
      this.#writer.message({ id }, { role: "toolResult", ...result, content: text as unknown as ContentBlock[] })
    }
    const content = blocks.filter(({ type }) => type !== "tool_result") as unknown as ContentBlock[]
    if (content.length === 0) return
    const texts = blocks.flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    const typed = texts.map(typedIn).find((text) => text !== undefined)
    this.#time = texts.map(timeIn).find((time) => time !== undefined) ?? this.#time
    this.#started ??= this.#time
    const place = { id, time: this.#time }
    const bare = texts.map(withoutContext).filter((text) => text !== "")
    const isContext = typed === undefined && bare.length === 0 && content.every(({ type }) => type === "text")
    if (INJECTED.test(typed ?? "") || isContext || said.loopReminder !== undefined)
      this.#writer.add("custom_message", place, { customType: "cursor.environment", content, display: false })
    else {
      const shown = typed ?? bare.join("\n")
      const isWhole = typed === undefined && shown === texts.join("\n").trim()
      this.#writer.message(place, { role: "user", content, ...(!isWhole && { prompt: shown }) })
    }
  }

  /** From a summary on, the model gets what stands before it in the list of messages, and what follows it. */
  #compaction(id: string, blocks: readonly Json[], before: readonly Json[]): void {
    const [system] = before.filter(({ role }) => role === "system")
    const sent = before.filter((one) => one !== system).map((one) => storedIn(one).flatMap(blocksOf))
    this.#writer.add(
      "compaction",
      { id, time: this.#time },
      {
        summary: contentText(blocks as unknown as ContentBlock[]),
        sentAs: [...sent, blocks].map((content) => ({ role: "user", content, timestamp: this.#time ?? 0 })),
        ...(system && { systemMessage: { role: "system", content: storedIn(system).flatMap(blocksOf) } }),
        firstKeptEntryId: id,
        tokensBefore: 0,
      },
    )
  }

  #reply(id: string, blocks: readonly Json[]): void {
    const content = blocks.map((block, at): ContentBlock => {
      if (block.type !== "tool_use") return block as unknown as ContentBlock
      const [call, name] = [textIn(block, "id") ?? `${id}:call-${at + 1}`, String(block.name)]
      this.#names.set(call, name)
      return { type: "toolCall", id: call, name, arguments: callArguments(block.input) }
    })
    const isCall = content.some(({ type }) => type === "toolCall")
    const reply = { content, provider: "cursor", model: this.#model, usage: usageFields() }
    this.#writer.message(
      { id, time: this.#time },
      { role: "assistant", ...reply, stopReason: isCall ? "toolUse" : "stop" },
    )
  }
}

function storedIn({ content }: Json): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content)
}

/** A block of a message in a database, which has the form of the AI SDK, as blocks of a transcript. */
function blocksOf(block: Json): Json[] {
  const { type, text, signature, result, isError } = block
  switch (type) {
    case "reasoning":
      return [
        {
          type: "thinking",
          thinking: text,
          ...(typeof signature === "string" && { thinkingSignature: signature }),
        },
      ]
    case "redacted-reasoning":
      return [{ type: "thinking", thinking: "", redacted: true, thinkingSignature: block.data }]
    case "tool-call":
      return [{ type: "tool_use", id: block.toolCallId, name: block.toolName, input: block.args }]
    case "tool-result": {
      const parts = objectsIn(block.experimental_content).flatMap(blocksOf)
      const text = typeof result === "string" ? result : JSON.stringify(result ?? "")
      const said =
        result === undefined ? parts : [{ type: "text", text }, ...parts.filter((one) => one.type === "image")]
      return [{ type: "tool_result", tool_use_id: block.toolCallId, content: said, is_error: isError }]
    }
    case "image":
      return mediaBlocks(block, block.image ?? block.data, "image/png")
    case "file":
      return mediaBlocks(block, block.data)
    default:
      return [without(block, ["providerOptions"])]
  }
}

/** A file by its bytes, in Base64 or as Cursor writes arrays of them, or by its address. */
function mediaBlocks(block: Json, data: unknown, usual = ""): Json[] {
  const [mime, filename] = [textIn(block, "mimeType") ?? usual, block.filename]
  const hex = isObject(data) && data.__type === "Uint8Array" ? textIn(data, "hex") : undefined
  const stored = hex === undefined ? data : Buffer.from(hex, "hex").toString("base64")
  if (typeof stored !== "string") return [block]
  if (mime.startsWith("text/")) return [{ type: "text", text: Buffer.from(stored, "base64").toString() }]
  const url = /^\w+:/.test(stored) ? stored : `data:${mime};base64,${stored}`
  return fileBlocks({ mime, filename, url }) as unknown as Json[]
}

/** The model that made a block. */
function modelOf(block: Json): string | undefined {
  return textIn(cursorIn(block), "modelName")
}

/** What Cursor asks in the place of the user, when a sub-agent or a task in the background has ended. */
const INJECTED =
  /^(?:The above subagent result is already visible to the user\.|Briefly inform the user about the task result)/

/** The tags in which Cursor says what it knows, which its transcripts leave out. */
const CONTEXT: ReadonlySet<string> = new Set([
  ...["user_info", "project_layout", "rules", "always_applied_workspace_rules", "agent_requestable_workspace_rules"],
  ...["user_rules", "agent_skills", "available_skills", "cloud_instructions", "cloud_task_instructions"],
  ...["open_and_recently_viewed_files", "system_reminder", "system-reminder", "mcp_instructions", "mcp_file_system"],
  ...["mcp_file_system_servers", "git_status", "agent_transcripts", "cursor_rules_context", "attached_files"],
  ...["system_notification", "task_notification", "agent_notification"],
])

/** What a prompt says beside what Cursor knows. */
function withoutContext(text: string): string {
  const unclosed = new Set<string>()
  let [rest, at] = ["", 0]
  for (const { index, 1: tag = "" } of text.matchAll(/<([a-z_-]+)(?:\s[^<>]*)?>/g)) {
    if (index < at || !CONTEXT.has(tag) || unclosed.has(tag)) continue
    const end = text.indexOf(`</${tag}>`, index)
    if (end < 0) unclosed.add(tag)
    else [rest, at] = [rest + text.slice(at, index), end + tag.length + "</>".length]
  }
  return (rest + text.slice(at)).trim()
}

function timeOf(value: unknown): number | undefined {
  const time = Number(value ?? Number.NaN)
  return Number.isFinite(time) && time > 0 ? time : undefined
}

/** When a prompt was sent, to the minute: `<timestamp>Friday, Sep 18, 2026, 9:02 PM (UTC-7)</timestamp>`, before it, and behind what is attached. */
function timeIn(text: string): number | undefined {
  const query = text.indexOf(QUERY)
  const found = SENT.exec(query < 0 ? text : text.slice(Math.max(0, text.lastIndexOf("<timestamp>", query)), query))
  if (!found) return undefined
  const [, day = "", sign = "+", hours = "", minutes = "00"] = found
  const time = Date.parse(`${day} UTC${sign}${hours.padStart(2, "0")}${minutes}`)
  return Number.isNaN(time) ? undefined : time
}

const SENT = /^\s*<timestamp>(?:\w+, )?([^<(]*\d{4}\b[^<(]*) \(UTC(?:([+-])(\d{1,2})(?::(\d\d))?)?\)<\/timestamp>/

const QUERY = "<user_query>"

/** What the user typed stands in a tag. */
function typedIn(text: string): string | undefined {
  const from = text.indexOf(QUERY)
  const to = text.lastIndexOf("</user_query>")
  return from < 0 || to < from
    ? undefined
    : text
        .slice(from + QUERY.length, to)
        .replace(/^\n/, "")
        .replace(/\n$/, "")
}
