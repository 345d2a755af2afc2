import { type EntryOfType, isEntry, type SessionEntry, type TranscriptItem } from "@treelog/session-core"
import { DAMAGED, kindOf, openedParts, PART } from "@treelog/session-core/adapter"
import { cleanLine, cleanText } from "./clean-text.js"
import type { Fields } from "./content-blocks.js"
import { bodyLines } from "./cut-lines.js"
import { paintOf, speakerOf } from "./entry-line.js"
import { FileChanges } from "./file-changes.js"
import { type MessageOptions, messageLines } from "./message-lines.js"
import { plural } from "./quantities.js"
import type { Style } from "./style.js"
import { timeOf } from "./time.js"

const MAX_NOTE = 200

export interface TranscriptOptions extends MessageOptions {
  readonly shortId: (id: string) => string
  /** Also what programs keep for themselves, and what calls cost. */
  readonly withData: boolean
}

/** Claude Code writes as many of these as messages. Of an edit, the head of the message that it edits says so. */
const DATA = new Set(["custom", "usage", "model_usage", "context_edit"])
const SHOWN_DATA: ReadonlySet<string> = new Set([DAMAGED, PART])

/** A branch as a transcript: each message under a line with its speaker, other entries as single dim lines. */
export function* transcriptLines(items: Iterable<TranscriptItem>, options: TranscriptOptions): Generator<string> {
  const linesOf = transcriptPrinter(options)
  for (const item of items) yield* linesOf(item)
}

export function transcriptPrinter(options: TranscriptOptions): (item: TranscriptItem) => string[] {
  let afterNote = true
  const changes = new FileChanges()
  return (item) => {
    if (!options.withData && isData(item)) return []
    const lines = itemLines(item, { ...options, changes })
    const isNote = lines.length === 1 && !item.message
    const gap = isNote && afterNote ? [] : [""]
    afterNote = isNote
    return [...gap, ...lines]
  }
}

function itemLines(item: TranscriptItem, options: TranscriptOptions): string[] {
  const { entry, message } = item
  if (isEntry(entry, "compaction")) return compactionLines(entry, options)
  if (entry.type === "reset_boundary")
    return [ruleLine(`context reset ${options.style.glyphs.dot} ${options.shortId(entry.id)}`, options.style)]
  if (!message || isHidden(message, options)) return [noteLine(item, options)]
  return [
    headLine(item, options),
    ...messageLines(message as unknown as Fields, options),
    ...openedParts(message).map((part) => partLine(part, options)),
  ]
}

/** A part of the session that a result opens, without an entry of its own. */
function partLine(part: object, { style }: TranscriptOptions): string {
  const entry = { type: "custom", customType: PART, data: part } as unknown as SessionEntry
  const line = `  ${style.glyphs.dot} ${cleanLine(kindOf(entry).describe(entry))}`
  return style.paint("dim", style.cut(line, style.width ?? MAX_NOTE))
}

/** Whether it is nothing that was said: what a program keeps for itself, or what a call cost. */
export function isData({ entry }: TranscriptItem): boolean {
  return DATA.has(entry.type) && !(isEntry(entry, "custom") && SHOWN_DATA.has(entry.customType))
}

/** Some messages are for the model, not for people; `--full` shows them too. */
function isHidden(message: object, { full }: TranscriptOptions): boolean {
  return "display" in message && message.display === false && !full
}

function headLine(item: TranscriptItem, { style, shortId }: TranscriptOptions): string {
  const { entry, message, inContext, edited } = item
  const who = speakerOf(entry)
  const fields = (message ?? {}) as Fields
  const details = [
    subject(fields),
    cleanLine(shortId(entry.id)),
    timeOf(entry.timestamp),
    edited === undefined ? "" : `${edited} for the model`,
    inContext || edited === "omitted" ? "" : "not in context",
    isRun(fields) && fields.excludeFromContext === true ? "kept from the model" : "",
  ].filter(Boolean)
  const dot = ` ${style.glyphs.dot} `
  return `${style.paint(inContext ? ["bold", paintOf(who)] : paintOf(who), who)}${style.paint("dim", dot + details.join(dot))}`
}

function isRun({ role }: Fields): boolean {
  return role === "bashExecution" || role === "pythonExecution"
}

/** Details of a message beside its role. */
function subject({ role, toolName, isError, model }: Fields): string {
  if (role === "toolResult") return `${cleanLine(toolName) || "unknown tool"}${isError === true ? " failed" : ""}`
  return role === "assistant" ? cleanLine(model) : ""
}

function noteLine({ entry, message }: TranscriptItem, { style, shortId }: TranscriptOptions): string {
  const aside = message ? " (not for display)" : ""
  const before = `${style.glyphs.dot} ${cleanLine(shortId(entry.id))} `
  const line = before + cleanLine(kindOf(entry).describe(entry)) + aside
  return style.paint("dim", style.cut(line, style.width ?? MAX_NOTE + before.length))
}

function compactionLines(entry: EntryOfType<"compaction">, options: TranscriptOptions): string[] {
  const { style, shortId } = options
  const { tokensBefore, firstKeptEntryId, id } = entry
  const size = typeof tokensBefore === "number" ? ` from ${plural(tokensBefore, "token")}` : ""
  const keeps = typeof firstKeptEntryId === "string" && firstKeptEntryId !== id
  const from = keeps ? `, keeps from ${cleanLine(shortId(firstKeptEntryId))}` : ", keeps nothing before it"
  const title = `compaction ${cleanLine(shortId(id))}${size}${from}`
  return [ruleLine(title, style), ...bodyLines(cleanText(entry.summary), options)]
}

/** Separates branches: names the entry at which the next one continues. */
export function turnLines(parentId: string | null, { style, shortId }: TranscriptOptions): string[] {
  return [
    "",
    ruleLine(parentId === null ? "from the beginning" : `continues at ${cleanLine(shortId(parentId))}`, style),
  ]
}

function ruleLine(title: string, { paint, glyphs, width, cut }: Style): string {
  const rule = glyphs.rule.repeat(3)
  const text = `${rule} ${cut(title, width && width - 8)} ${rule}`
  return paint(["bold", "magenta"], text)
}
