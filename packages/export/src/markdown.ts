import { isEntry, type TranscriptItem } from "@treelog/session-core"
import { isSystemMessage, kindOf, textStart, titleLine } from "@treelog/session-core/adapter"
import {
  cleanLine,
  costNotes,
  costText,
  type Fields,
  FileChanges,
  isData,
  plural,
  speakerOf,
} from "@treelog-internal/text"
import type { ExportEntries } from "./export-entries.js"
import { codeSpan, FEW_LINES, folded, plainText } from "./markdown-text.js"
import { messageMarkdown, type Rendering, textMarkdown } from "./message-markdown.js"

/** Of a title that is no name. UTF-16 units. */
const MOST_OF_TITLE = 120

/** A document for people: a heading for each message, edits as diffs, other tool calls and thinking folded. */
export async function* markdown(entries: ExportEntries): AsyncGenerator<string> {
  const { name, sessionId, cwd, header, cost } = entries.head()
  const facts = [
    ["Session", sessionId],
    ["Folder", cwd],
    ["Started", Date.parse(header.timestamp) === 0 ? "" : header.timestamp],
  ].flatMap(([fact, value]) => (cleanLine(value) === "" ? [] : `- ${fact}: ${codeSpan(cleanLine(value))}`))
  // Cut when it is redacted: a secret is found in a whole text only.
  const title = titleLine(name ?? "") || textStart(titleLine(entries.firstSaid()), MOST_OF_TITLE)
  yield `# ${plainText(cleanLine(title) || "Session")}\n\n${facts.join("\n")}\n${cost ? `- Cost: ${plainText([costText(cost), ...costNotes(cost)].join(" · "))}\n` : ""}- Times: UTC\n`
  const rendering = { changes: new FileChanges(), imageAddress: entries.imageAddress }
  for await (const { item, isTurn } of entries.items()) {
    const { parentId } = item.entry
    const place = parentId === null ? "From the beginning" : `Continues at ${codeSpan(cleanLine(parentId))}`
    if (isTurn) yield `\n---\n\n*${place}*\n`
    if (!isData(item)) yield itemMarkdown(item, rendering)
  }
}

/** Begins with a blank line. */
function itemMarkdown(item: TranscriptItem, rendering: Rendering): string {
  const { entry, message } = item
  if (isEntry(entry, "compaction")) {
    const size = typeof entry.tokensBefore === "number" ? ` from ${plural(entry.tokensBefore, "token")}` : ""
    return `\n---\n\n## Compaction${size} · ${entryIdText(item)}\n\n${textMarkdown(entry.summary)}`
  }
  if (entry.type === "reset_boundary") return "\n---\n\n*Context reset*\n"
  if (!message) return `\n*${plainText(cleanLine(kindOf(item.entry).describe(item.entry)))}* ${entryIdText(item)}\n`
  const fields = message as unknown as Fields
  const body = messageMarkdown(fields, rendering)
  const lines = body.trimEnd().split("\n").length
  const isForModel = isSystemMessage(fields) || fields.display === false
  const shown = isForModel && lines > FEW_LINES ? folded(`${lines} lines for the model`, body) : body
  return `\n${heading(item)}\n\n${shown === "" ? "*(no text)*\n" : shown}`
}

function heading(item: TranscriptItem): string {
  const { entry, message, edited } = item
  const { role, toolName, isError, model } = message as unknown as Fields
  const details = [
    role === "toolResult" ? `${cleanLine(toolName) || "unknown tool"}${isError === true ? " failed" : ""}` : "",
    role === "assistant" ? cleanLine(model) : "",
    utcTime(entry.timestamp),
    edited === undefined ? "" : `${edited} for the model`,
  ].filter(Boolean)
  const who = speakerOf(entry)
  const title = who.charAt(0).toUpperCase() + who.slice(1)
  return `## ${[plainText(title), ...details.map(plainText), entryIdText(item)].join(" · ")}`
}

/** Readers may be in any time zone. Empty where no time is known. */
function utcTime(timestamp: unknown): string {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  return time ? new Date(time).toISOString().slice(0, 16).replace("T", " ") : ""
}

function entryIdText({ entry }: TranscriptItem): string {
  return codeSpan(cleanLine(entry.id))
}
