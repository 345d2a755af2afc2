import { damagedEntry, formatLine, PART } from "@treelog/session-core/adapter"
import { damagedData, usageFields } from "@treelog-internal/agent-files"
import { countOf, isJsonObject, type JsonObject, stringOf, textOf } from "../json-values.js"
import type { LineOf, PlannedHeader, PlannedLine } from "../plan/planned-line.js"
import type { RecordReader, TextEncoding } from "../source/byte-source.js"
import { isCommand, promptText } from "../source/prompt-text.js"
import { blocksOf, renderedOf, replacementsOf } from "../source/record-head.js"
import { entryIdText, type SourceRecord } from "../source/source-record.js"
import { resultContent, userContent } from "./content.js"
import { makeReply } from "./make-reply.js"

/** Results that the client took out of the context, as its own models saw them. */
const CLEARED = "[Old tool result content cleared]"

/** An entry fits into a string, which has at most 2^29 units: it takes no more than the bytes that it was parsed from. Bytes. */
const LONGEST = 500_000_000

/** Entries that copy their records. */
const COPIED: ReadonlySet<PlannedLine["type"]> = new Set([
  "reply",
  "meta",
  "reminder",
  "queued",
  "local-command",
  "beside-results",
  "kept",
  "result",
])

const REMINDER = /^<system-reminder>\n([\s\S]*?)\n?<\/system-reminder>\s*$/

const NO_REQUESTS: ReadonlySet<string> = /* @__PURE__ */ new Set()

const STOP_REASONS = { waits: undefined, left: "aborted", done: "stop" } as const

const ASCII = /^[\0-\x7f]*$/

interface EntryHead {
  readonly id: string
  readonly parentId: string | null
  readonly timestamp: string
}

/** A line of a file. */
export interface EncodedLine {
  readonly text: string
  readonly encoding: TextEncoding
}

/** Makes entries of planned lines, and reads the records that they need. */
export class EntryMaker {
  readonly #reader: RecordReader
  /** The record that was parsed last: a line of results becomes several entries. */
  #parsed: { offset: number; encoding: TextEncoding; value: JsonObject } | undefined
  /** Of the entry that is being made. */
  #encoding: TextEncoding = "utf8"
  #results: { of: JsonObject; blocks: readonly JsonObject[] } | undefined

  readonly #partData: (line: LineOf<"part">) => object
  readonly #requests: ReadonlySet<string>

  /**
   * @param partData of a part of the session
   * @param requests ids of those that the file has
   */
  constructor(reader: RecordReader, partData: (line: LineOf<"part">) => object, requests: ReadonlySet<string>) {
    this.#reader = reader
    this.#partData = partData
    this.#requests = requests
  }

  make(line: PlannedLine): object {
    return this.#make(line, headOf(line), "utf8")
  }

  /** The same as it stands in a file. */
  format(line: PlannedLine): EncodedLine {
    const head = headOf(line)
    const encoding = this.#canBeLatin1(line, head) ? "latin1" : "utf8"
    return { text: formatLine(this.#make(line, head, encoding)), encoding }
  }

  /** Whether its texts are those of records, and ASCII. */
  #canBeLatin1(line: PlannedLine, { id, parentId, timestamp }: EntryHead): boolean {
    const toolName = line.type === "result" ? line.toolName : ""
    return (
      COPIED.has(line.type) &&
      sizeOf(line) <= LONGEST &&
      ASCII.test(`${id}${parentId}${timestamp}${toolName}`) &&
      recordsOf(line).every((record) => this.#reader.canBeLatin1(record))
    )
  }

  #make(line: PlannedLine, head: EntryHead, encoding: TextEncoding): object {
    this.#encoding = encoding
    const { id, parentId, timestamp } = head
    const bytes = sizeOf(line)
    if (bytes > LONGEST) return damagedEntry({ type: "custom", id, parentId, timestamp }, { bytes })
    const entry = (type: string, fields: object): object => ({ type, id, parentId, timestamp, ...fields })
    switch (line.type) {
      case "reply": {
        const records = line.records.map((record) => this.#parse(record))
        const requests = line.isLacking ? NO_REQUESTS : this.#requests
        const message = makeReply(records, line.usage?.usage, line.isAborted, millisOf(line), requests)
        return entry("message", { message })
      }
      case "user":
        return entry("message", { message: this.#prompt(line) })
      case "queued":
        return entry("message", { message: this.#userMessage(line, attachmentOf(this.#parse(line.record)).prompt) })
      case "beside-results": {
        const blocks = blocksOf(messageOf(this.#parse(line.record)).content)
        return entry("message", {
          message: this.#userMessage(
            line,
            blocks.filter(({ type }) => type !== "tool_result"),
          ),
        })
      }
      case "meta": {
        const { content } = messageOf(this.#parse(line.record))
        return entry("custom_message", {
          customType: "claude-code.meta",
          content: userContent(content),
          display: false,
        })
      }
      case "reminder":
        return entry("custom_message", this.#reminder(line.record))
      case "local-command": {
        const content = stringOf(this.#parse(line.record).content) ?? ""
        return entry("custom_message", { customType: "claude-code.local_command", content, display: true })
      }
      case "result":
        return entry("message", { message: this.#result(line) })
      case "compaction":
        return entry("compaction", this.#compaction(line))
      case "branch-summary":
        return entry("branch_summary", this.#branchSummary(line))
      case "model": {
        const { model: modelId } = line
        const provider = "anthropic"
        return entry("model_change", { provider, modelId, model: `${provider}/${modelId}`, role: "default" })
      }
      case "place": {
        const { cwd, gitBranch } = line
        return entry("custom", {
          customType: "claude-code.cwd",
          data: { cwd, ...(gitBranch !== undefined && { gitBranch }) },
        })
      }
      case "kept": {
        const data = this.#parse(line.record)
        return entry("custom", { customType: `claude-code.${stringOf(data.type) ?? "unknown"}`, data })
      }
      case "damaged":
        return damagedEntry(
          { type: "custom", id, parentId, timestamp },
          damagedData(bytes, () => this.#reader.text(line.record)),
        )
      case "title":
        return entry("session_info", { name: line.name })
      case "label":
        return entry("label", { targetId: entryIdText(line.target), label: line.label })
      case "usage":
        return entry("usage", {
          provider: "anthropic",
          model: line.usage.model,
          ...(line.role !== undefined && { role: line.role }),
          usage: usageFields(line.usage),
        })
      case "edit":
        return entry("context_edit", { targetId: entryIdText(line.target), replacement: this.#replacement(line) })
      case "sent": {
        const content = this.#sentContent(line)
        return entry("context_edit", { targetId: entryIdText(line.target), replacement: { content } })
      }
      case "part":
        return entry("custom", { customType: PART, data: this.#partData(line) })
      case "leaf":
        return entry("custom", { customType: "treelog.leaf" })
    }
  }

  #userMessage(line: PlannedLine, content: unknown): object {
    return { role: "user", content: userContent(content), timestamp: millisOf(line) }
  }

  /** What the client wrote has what the user typed in its place, and whether a reply was to come. */
  #prompt(line: LineOf<"user">): object {
    const { content } = messageOf(this.#parse(line.record))
    const message = this.#userMessage(line, content)
    const { kind, text } = promptText(content)
    const prompt = isCommand(kind) && !line.isFirst ? "" : text
    const stopReason = kind === "interruption" ? "aborted" : STOP_REASONS[line.state]
    return {
      ...message,
      ...(prompt !== textOf(content) && { prompt }),
      ...(stopReason !== undefined && { stopReason }),
    }
  }

  #reminder(record: SourceRecord): object {
    const value = this.#parse(record)
    const { type } = attachmentOf(value)
    const content = userContent(renderedOf(value) ?? "")
    // The client moves what goes as words of the user to the start of the turn, and what goes as words of the system to its end.
    const placement = value.renderedRole === "system" ? "last" : "first"
    return { customType: "claude-code.attachment", content, display: false, details: { type }, placement }
  }

  #result(line: LineOf<"result">): object {
    const { record, block: number, toolName } = line
    const value = this.#parse(record)
    const block = this.#resultsOf(record)[number] ?? {}
    const details = number === 0 ? detailsOf(value.toolUseResult) : undefined
    return {
      role: "toolResult",
      toolCallId: stringOf(block.tool_use_id) ?? "",
      toolName,
      content: resultContent(block.content),
      ...(details !== undefined && { details }),
      isError: block.is_error === true,
      timestamp: millisOf(line),
    }
  }

  #compaction({ boundary, summary, firstKept }: LineOf<"compaction">): object {
    const metadata = boundary ? this.#metadataOf(boundary) : {}
    return {
      ...this.#summaryFields(summary, metadata),
      firstKeptEntryId: entryIdText(firstKept),
      tokensBefore: countOf(metadata.preTokens),
    }
  }

  #branchSummary({ boundary, summary, from }: LineOf<"branch-summary">): object {
    return { ...this.#summaryFields(summary, this.#metadataOf(boundary)), fromId: entryIdText(from) }
  }

  #metadataOf(boundary: SourceRecord): JsonObject {
    const { compactMetadata } = this.#parse(boundary)
    return isJsonObject(compactMetadata) ? compactMetadata : {}
  }

  #summaryFields(record: SourceRecord, metadata: JsonObject): object {
    return {
      summary: textOf(messageOf(this.#parse(record)).content),
      details: { ...metadata, ...(record.uuid !== undefined && { summaryUuid: record.uuid }) },
    }
  }

  #replacement({ content }: LineOf<"edit">): object | null {
    if (content === null) return null
    const { record, item } = content
    const text = record.role === "microcompact" ? CLEARED : replacementsOf(this.#parse(record).replacements)[item]?.text
    return { content: [{ type: "text", text: text ?? "" }] }
  }

  #sentContent({ record, sent }: LineOf<"sent">): unknown {
    const rendered = renderedOf(this.#parse(record))
    // What the user said comes as their words, without the tags.
    if (rendered !== undefined) return textOf(userContent(rendered)).replace(REMINDER, "$1")
    const { content } = messageOf(this.#parse(record))
    const said = textOf(content)
    const texts = sent.flatMap((one) => blocksOf(messageOf(this.#parse(one)).content).map(({ text }) => stringOf(text)))
    return texts.find((text) => text?.includes(said)) ?? userContent(content)
  }

  /** A line of results can have many, each of which becomes an entry. */
  #resultsOf(record: SourceRecord): readonly JsonObject[] {
    const value = this.#parse(record)
    if (this.#results?.of !== value)
      this.#results = {
        of: value,
        blocks: blocksOf(messageOf(value).content).filter(({ type }) => type === "tool_result"),
      }
    return this.#results.blocks
  }

  /** A record that was an object when it was indexed. */
  #parse(record: SourceRecord): JsonObject {
    const { offset } = record
    const encoding = this.#encoding
    if (this.#parsed?.offset === offset && this.#parsed.encoding === encoding) return this.#parsed.value
    const value: unknown = JSON.parse(this.#reader.text(record, encoding))
    const object = isJsonObject(value) ? value : {}
    this.#parsed = { offset, encoding, value: object }
    return object
  }
}

/** Milliseconds since 1970; 0 where the time cannot be read. */
function millisOf({ timed }: PlannedLine): number {
  const isText = typeof timed === "string"
  const millis = isText ? Number.NaN : timed.millis
  return Number.isNaN(millis) ? Date.parse(isText ? timed : (timed.time ?? "")) || 0 : millis
}

/** Bytes of the records that an entry is made of. */
function sizeOf(line: PlannedLine): number {
  return recordsOf(line).reduce((sum, { length }) => sum + length, 0)
}

/** Of entries that are a copy of records, more or less. */
function recordsOf(line: PlannedLine): readonly SourceRecord[] {
  return line.type === "reply" ? line.records : "record" in line ? [line.record] : []
}

function headOf({ id, parentId, timed }: PlannedLine): EntryHead {
  return {
    id: entryIdText(id),
    parentId: parentId === null ? null : entryIdText(parentId),
    timestamp: typeof timed === "string" ? timed : (timed.time ?? ""),
  }
}

/** What a sub-agent used is counted in entries of its own, and must not be read as the usage of its result. */
function detailsOf(result: unknown): unknown {
  if (!isJsonObject(result) || result.usage === undefined) return result
  const { usage, ...details } = result
  return { ...details, subagentUsage: usage }
}

export function messageOf({ message }: JsonObject): JsonObject {
  return isJsonObject(message) ? message : {}
}

function attachmentOf({ attachment }: JsonObject): JsonObject {
  return isJsonObject(attachment) ? attachment : {}
}

export function makeHeader(header: PlannedHeader): object {
  const { id, timestamp, cwd, parentSession, countedIn, version, gitBranch, path, isSdk } = header
  return {
    type: "session",
    version: 3,
    id,
    timestamp,
    cwd,
    ...(parentSession !== undefined && { parentSession }),
    ...(countedIn !== undefined && { countedIn }),
    source: {
      agent: "claude-code",
      ...(version !== undefined && { version }),
      ...(gitBranch !== undefined && { gitBranch }),
      ...(path !== undefined && { path }),
      ...(isSdk && { kind: "sdk" }),
    },
  }
}
