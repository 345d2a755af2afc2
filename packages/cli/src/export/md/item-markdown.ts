import { isEntry, type TranscriptItem } from "@treelog/session-core"
import type { Fields } from "../../render/blocks.js"
import { cleanLine, cleanText } from "../../render/clean-text.js"
import { speakerOf } from "../../render/entry-line.js"
import type { FileChanges } from "../../render/file-changes.js"
import { plural } from "../../render/quantities.js"
import { closedMarkdown, codeSpan, plainText } from "./markdown-text.js"
import { messageMarkdown } from "./message-markdown.js"

/** What stands between entries that follow on each other is one blank line. */
export function itemMarkdown(item: TranscriptItem, changes: FileChanges): string {
  const { entry, message } = item
  if (isEntry(entry, "compaction")) {
    const size = typeof entry.tokensBefore === "number" ? ` from ${plural(entry.tokensBefore, "token")}` : ""
    return `\n---\n\n## Compaction${size} · ${idOf(item)}\n\n${closedMarkdown(cleanText(entry.summary))}`
  }
  if (entry.type === "reset_boundary") return "\n---\n\n*Context starts anew.*\n"
  if (!message) return `\n*${plainText(cleanLine(item.description))}* ${idOf(item)}\n`
  const body = messageMarkdown(message as unknown as Fields, changes)
  return `\n${heading(item)}\n\n${body === "" ? "*(no text)*\n" : body}`
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
  return `## ${[plainText(title), ...details.map(plainText), idOf(item)].join(" · ")}`
}

/** Who reads it may be anywhere. */
function utcTime(timestamp: unknown): string {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 16).replace("T", " ")
}

function idOf({ entry }: TranscriptItem): string {
  return codeSpan(cleanLine(entry.id))
}
