import { contentText, type SessionHeader } from "@treelog/session-core"
import { damagedEntry, PART } from "@treelog/session-core/adapter"
import { countIn, isObject, type Json, objectIn, objectsIn, textIn, usageFields } from "@treelog-internal/agent-files"
import type { LineOf, PlannedHeader, PlannedLine } from "../plan/planned-line.js"
import { isCommand, promptText } from "../source/prompt-text.js"
import { replacementsOf } from "../source/record-head.js"
import { renderedOf } from "../source/rendered.js"
import { messageOf, type SourceRecord } from "../source/source-record.js"
import { resultContent, userContent } from "./content.js"
import { makeReply } from "./make-reply.js"

/** Results that the client took out of the context, as its own models saw them. */
const CLEARED = "[Old tool result content cleared]"

const REMINDER = /^<system-reminder>\n([\s\S]*?)\n?<\/system-reminder>\s*$/

const NO_REQUESTS: ReadonlySet<string> = /* @__PURE__ */ new Set()

const STOP_REASONS = { waits: undefined, left: "aborted", done: "stop" } as const

/** What entries are made of beside their lines. */
export interface EntryParts {
  /** Of a part of the session. */
  partData(line: LineOf<"part">): object
  /** Ids of the requests that the file has. */
  readonly requests: ReadonlySet<string>
}

/** The entry of a planned line. */
export function makeEntry(line: PlannedLine, { partData, requests }: EntryParts): object {
  const { id, parentId, timestamp } = line
  const entry = (type: string, fields: object): object => ({ type, id, parentId, timestamp, ...fields })
  switch (line.type) {
    case "reply": {
      const values = line.records.map(({ value }) => value)
      const known = line.isLacking ? NO_REQUESTS : requests
      return entry("message", {
        message: makeReply(values, line.usage?.usage, line.isAborted, millisOf(line), known),
      })
    }
    case "user":
      return entry("message", { message: promptOf(line) })
    case "queued":
      return entry("message", { message: userMessage(line, attachmentOf(line.record.value).prompt) })
    case "beside-results": {
      const blocks = objectsIn(messageOf(line.record.value).content)
      return entry("message", {
        message: userMessage(
          line,
          blocks.filter(({ type }) => type !== "tool_result"),
        ),
      })
    }
    case "meta": {
      const content = userContent(messageOf(line.record.value).content)
      return entry("custom_message", { customType: "claude-code.meta", content, display: false })
    }
    case "reminder":
      return entry("custom_message", reminderOf(line.record.value))
    case "local-command": {
      const content = textIn(line.record.value, "content") ?? ""
      return entry("custom_message", { customType: "claude-code.local_command", content, display: true })
    }
    case "result":
      return entry("message", { message: resultOf(line) })
    case "compaction":
      return entry("compaction", compactionOf(line))
    case "branch-summary":
      return entry("branch_summary", {
        ...summaryFields(line.summary, metadataOf(line.boundary)),
        fromId: line.from,
      })
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
      const { value } = line.record
      return entry("custom", { customType: `claude-code.${textIn(value, "type") ?? "unknown"}`, data: value })
    }
    case "damaged":
      return damagedEntry({ type: "custom", id, parentId, timestamp }, { ...line.record.damaged })
    case "title":
      return entry("session_info", { name: line.name })
    case "label":
      return entry("label", { targetId: line.target, label: line.label })
    case "usage":
      return entry("usage", {
        provider: "anthropic",
        model: line.usage.model,
        ...(line.role !== undefined && { role: line.role }),
        usage: usageFields(line.usage),
      })
    case "edit":
      return entry("context_edit", { targetId: line.target, replacement: replacementOf(line) })
    case "sent":
      return entry("context_edit", { targetId: line.target, replacement: { content: sentContent(line) } })
    case "part":
      return entry("custom", { customType: PART, data: partData(line) })
    case "leaf":
      return entry("custom", { customType: "treelog.leaf" })
  }
}

function userMessage(line: PlannedLine, content: unknown): object {
  return { role: "user", content: userContent(content), timestamp: millisOf(line) }
}

/** What the client wrote has what the user typed in its place, and whether a reply was to come. */
function promptOf(line: LineOf<"user">): object {
  const { content } = messageOf(line.record.value)
  const { kind, text } = promptText(content)
  const prompt = isCommand(kind) && !line.isFirst ? "" : text
  const stopReason = kind === "interruption" ? "aborted" : STOP_REASONS[line.state]
  return {
    ...userMessage(line, content),
    ...(prompt !== contentText(content) && { prompt }),
    ...(stopReason !== undefined && { stopReason }),
  }
}

function reminderOf(value: Json): object {
  const { type } = attachmentOf(value)
  const content = userContent(renderedOf(value) ?? "")
  // The client moves what goes as words of the user to the start of the turn, and what goes as words of the system to its end.
  const placement = value.renderedRole === "system" ? "last" : "first"
  return { customType: "claude-code.attachment", content, display: false, details: { type }, placement }
}

function resultOf(line: LineOf<"result">): object {
  const { value } = line.record
  const block = line.record.answers?.[line.block]?.block ?? {}
  const details = line.block === 0 ? detailsOf(value.toolUseResult) : undefined
  return {
    role: "toolResult",
    toolCallId: textIn(block, "tool_use_id") ?? "",
    toolName: line.toolName,
    content: resultContent(block.content),
    ...(details !== undefined && { details }),
    isError: block.is_error === true,
    timestamp: millisOf(line),
  }
}

/** What a sub-agent used is counted in entries of its own, and must not be read as the usage of its result. */
function detailsOf(result: unknown): unknown {
  if (!isObject(result) || result.usage === undefined) return result
  const { usage, ...details } = result
  return { ...details, subagentUsage: usage }
}

function compactionOf({ boundary, summary, firstKept }: LineOf<"compaction">): object {
  const metadata = boundary ? metadataOf(boundary) : {}
  return {
    ...summaryFields(summary, metadata),
    firstKeptEntryId: firstKept,
    tokensBefore: countIn(metadata, "preTokens"),
  }
}

function metadataOf({ value }: SourceRecord): Json {
  return objectIn(value, "compactMetadata") ?? {}
}

function summaryFields({ value, uuid }: SourceRecord, metadata: Json): object {
  return {
    summary: contentText(messageOf(value).content),
    details: { ...metadata, ...(uuid !== undefined && { summaryUuid: uuid }) },
  }
}

function replacementOf({ content }: LineOf<"edit">): object | null {
  if (content === null) return null
  const { record, item } = content
  const text = record.role === "microcompact" ? CLEARED : replacementsOf(record.value.replacements)[item]?.text
  return { content: [{ type: "text", text: text ?? "" }] }
}

function sentContent({ record, sent }: LineOf<"sent">): unknown {
  const rendered = renderedOf(record.value)
  // What the user said comes as their words, without the tags.
  if (rendered !== undefined) return contentText(userContent(rendered)).replace(REMINDER, "$1")
  const { content } = messageOf(record.value)
  const said = contentText(content)
  const texts = sent.flatMap(({ value }) => objectsIn(messageOf(value).content).map((block) => textIn(block, "text")))
  return texts.find((text) => text?.includes(said)) ?? userContent(content)
}

/** Milliseconds since 1970; 0 where the time cannot be read. */
function millisOf({ timestamp }: PlannedLine): number {
  return Date.parse(timestamp) || 0
}

function attachmentOf(value: Json): Json {
  return objectIn(value, "attachment") ?? {}
}

export function makeHeader(header: PlannedHeader): SessionHeader {
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
