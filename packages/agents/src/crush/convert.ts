import { stripVTControlCharacters } from "node:util"
import type { ContentBlock } from "@treelog/session-core"
import {
  type ConvertedRecords,
  callArguments,
  countIn,
  type EntryPlace,
  type EntryWriter,
  type HeaderFields,
  isoTime,
  type Json,
  objectIn,
  objectsIn,
  parsedObject,
  type RecordConverter,
  type RecordOutcome,
  textIn,
  usageFields,
} from "../kit.js"
import { fileBlocks, textBlocks, thinkingBlock } from "../opencode/blocks.js"
import { millis } from "./rows.js"

/** The conversion of a session, or of one of a sub-agent. */
export class CrushConverter implements RecordConverter {
  readonly #session: ConvertedRecords
  readonly #writer: EntryWriter
  /** The calls that the model sees, by their ids, with the ids of their messages. */
  readonly #calls = new Map<string, { readonly name: string; readonly message: string }>()
  /** The sessions of sub-agents whose call has not come yet. */
  #children = new Set<string>()
  #head: Json | undefined
  #model = { provider: "unknown", model: "unknown" }

  constructor(session: ConvertedRecords) {
    this.#session = session
    this.#writer = session.writer
  }

  kindOf({ record, role, type }: Json): string {
    if (record === "message") return `message:${role}`
    return record === "part" ? `part:${type}` : String(record)
  }

  record(record: Json, kind: string): RecordOutcome {
    switch (kind) {
      case "session":
        this.#head = record
        this.#children = new Set(Array.isArray(record.children) ? record.children.map(String) : [])
        return "converted"
      case "message:user":
        return this.#prompt(record)
      case "message:assistant":
        return this.#isSummary(record) ? this.#compaction(record) : this.#reply(record)
      case "message:tool":
        return this.#results(record)
      // Crush stores none, and would not send them.
      case "message:system":
        return "kept"
      case "damaged": {
        const message = `The parts of message ${record.id} are no JSON`
        this.#session.report({ kind: "invalid-json", message })
        return "kept"
      }
      default:
        return undefined
    }
  }

  end(): HeaderFields | undefined {
    const head = this.#head
    if (!head) return undefined
    for (const child of this.#children) this.#part({ id: `${child}:part` }, child)
    const cost = countIn(head, "cost")
    // It has what sub-agents and titles cost, too.
    if (cost > 0 && head.isPart !== true) {
      this.#writer.add("usage", { id: `${this.#session.id}:cost` }, { ...this.#model, usage: usageFields({ cost }) })
    }
    const title = textIn(head, "title")
    return {
      id: String(head.id),
      timestamp: isoTime(millis(head.created_at)),
      cwd: this.#session.cwd,
      title: title !== undefined && UNTITLED.has(title) ? undefined : title,
    }
  }

  /** A prompt with its attachments, or commands for a shell that the user ran, in one text as the model gets it. */
  #prompt(message: Json): RecordOutcome {
    const typed = textOf(message).trim()
    const files = dataOf(message, "binary")
    const commands = dataOf(message, "shell_command")
    const texts = [typed + attachedTexts(files), ...commands.map(shellText)].filter((text) => text !== "")
    const said = typed || commands.map(({ command }) => `!${command}`).join("\n")
    const text = texts.join("\n\n")
    const content = [...textBlocks(text), ...files.flatMap(attachedFile)]
    if (content.length === 0) return { skipped: "a message without content" }
    this.#writer.message(entryPlace(message), { role: "user", content, ...(said !== text && { prompt: said }) })
    return "converted"
  }

  #reply(message: Json): RecordOutcome {
    const place = entryPlace(message)
    const calls = dataOf(message, "tool_call")
    const thoughts = dataOf(message, "reasoning").filter((part) => textIn(part, "thinking") !== undefined)
    const finish = dataOf(message, "finish").at(-1)
    this.#model = { provider: textIn(message, "provider") ?? "unknown", model: textIn(message, "model") ?? "unknown" }
    for (const { id, name } of calls) this.#calls.set(String(id), { name: String(name), message: String(message.id) })
    const content = [
      ...thoughts.slice(0, 1).map(thinking),
      ...textBlocks(textOf(message).trim()),
      ...calls.map(
        ({ id, name, input }): ContentBlock => ({
          ...{ type: "toolCall", id: String(id), name: String(name) },
          arguments: callArguments(input),
        }),
      ),
    ]
    const stopReason = stopOf(finish?.reason)
    const error = [finish?.message, finish?.details].filter((text) => typeof text === "string" && text !== "")
    const targetId = this.#writer.message(place, {
      role: "assistant",
      content,
      ...this.#model,
      usage: usageFields(),
      stopReason,
      ...(stopReason === "error" && { errorMessage: error.join(": ") || String(finish?.reason) }),
    })
    // One that failed before anything came is not sent.
    if (content.length === 0) this.#leaveOut(targetId, place)
    return "converted"
  }

  /** Results are sent where the model sees their call. */
  #results(message: Json): RecordOutcome {
    const place = entryPlace(message)
    const results = dataOf(message, "tool_result")
    for (const result of results) {
      const toolCallId = String(result.tool_call_id)
      const call = this.#calls.get(toolCallId)
      const details = parsedObject(textIn(result, "metadata") ?? "")
      const targetId = this.#writer.message(place, {
        role: "toolResult",
        toolCallId,
        toolName: textIn(result, "name") ?? call?.name ?? "unknown",
        content: resultBlocks(result),
        ...(details && { details }),
        isError: result.is_error === true,
      })
      if (!call) this.#leaveOut(targetId, place)
      const children = call ? [`${call.message}$$${toolCallId}`, toolCallId] : []
      for (const child of children)
        if (this.#children.delete(child)) this.#part({ ...place, id: `${targetId}:part` }, child, toolCallId)
    }
    return results.length > 0 ? "converted" : "kept"
  }

  /**
   * Whether the model gets the summary instead of what is before it. Of former summaries that is what it got until the next one; one that failed is
   * an answer like others.
   */
  #isSummary(message: Json): boolean {
    const { summary_message_id: last, isSummarized } = this.#head ?? {}
    if (message.id === last) return true
    const isDone = dataOf(message, "finish").at(-1)?.reason === "end_turn"
    return message.is_summary_message === 1 && isDone && isSummarized === true && !this.#isPast
  }
  /** Whether the last summary has come. */
  #isPast = false

  /** The summary is sent as a message of the user. */
  #compaction(message: Json): RecordOutcome {
    this.#isPast = message.id === this.#head?.summary_message_id
    this.#calls.clear()
    const { id, time } = entryPlace(message)
    const summary = textOf(message).trim()
    this.#writer.add("compaction", { id, time }, { summary, verbatim: true, firstKeptEntryId: id, tokensBefore: 0 })
    return "converted"
  }

  #leaveOut(targetId: string, { time }: EntryPlace): void {
    this.#writer.add("context_edit", { id: `${targetId}:left-out`, time }, { targetId, replacement: null })
  }

  #part(place: EntryPlace, child: string, call?: string): void {
    const role = child.startsWith("title-") ? "title" : "subagent"
    this.#writer.part(place, { name: `${child}.jsonl`, role, ...(call !== undefined && { call }) })
  }
}

/** Names that stand for none. */
const UNTITLED: ReadonlySet<string> = new Set(["New Session", "Untitled Session"])

const STOPS: ReadonlyMap<unknown, string> = new Map([
  ["end_turn", "stop"],
  ["tool_use", "toolUse"],
  ["max_tokens", "length"],
  ["canceled", "aborted"],
  ["content_filter", "error"],
])

/** A reply that was not finished was interrupted while it came. */
function stopOf(reason: unknown): string {
  return typeof reason === "string" ? (STOPS.get(reason) ?? reason) : "aborted"
}

/** What the parts of a kind say. */
function dataOf({ parts }: Json, type: string): Json[] {
  return objectsIn(parts).flatMap((part) => (part.type === type ? [objectIn(part, "data") ?? {}] : []))
}

/** Of several texts, Crush knows the first. */
function textOf(message: Json): string {
  return textIn(dataOf(message, "text")[0] ?? {}, "text") ?? ""
}

function entryPlace(message: Json): { id: string; time: number } {
  return { id: String(message.id), time: millis(message.created_at) }
}

/** A thought with what its provider knows it by. */
function thinking(part: Json): ContentBlock {
  const stored = objectIn(part, "responses_data") ?? {}
  const { item_id: itemId, encrypted_content: reasoningEncryptedContent } = objectIn(stored, "data") ?? stored
  const [signature, thoughtSignature] = [textIn(part, "signature"), textIn(part, "thought_signature")]
  return thinkingBlock([String(part.thinking)], { signature, thoughtSignature, itemId, reasoningEncryptedContent })
}

/** Files of text stand in the prompt, as Crush puts them there. */
function attachedTexts(files: readonly Json[]): string {
  const texts = files.filter(isText)
  if (texts.length === 0) return ""
  const parts = texts.map((file) => {
    const path = textIn(file, "Path")
    const text = Buffer.from(textIn(file, "Data") ?? "", "base64").toString()
    return `${path === undefined ? "<file>" : `<file path='${path}'>`}\n\n${text}\n</file>\n`
  })
  return `\n<system_info>The files below have been attached by the user, consider them in your response</system_info>\n${parts.join("")}`
}

function isText(file: Json): boolean {
  return String(file.MIMEType).startsWith("text/")
}

function attachedFile(file: Json): ContentBlock[] {
  const mime = textIn(file, "MIMEType") ?? ""
  return isText(file) ? [] : fileBlocks({ mime, url: `data:${mime};base64,${file.Data ?? ""}`, filename: file.Path })
}

function shellText({ command, output, exit_code: code }: Json): string {
  return `$ ${command}\n${stripVTControlCharacters(String(output ?? ""))}\n(exit code ${code})`
}

/** Of a file, the model gets no text with it. */
function resultBlocks(result: Json): ContentBlock[] {
  const [data, mime = ""] = [textIn(result, "data"), textIn(result, "mime_type")]
  if (result.is_error === true || data === undefined) return textBlocks(result.content)
  if (Buffer.from(data, "base64").toString("base64") !== data) return textBlocks("[Image data could not be loaded]")
  return fileBlocks({ mime, url: `data:${mime};base64,${data}` })
}
