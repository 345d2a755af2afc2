import { jsonText } from "@treelog/session-core/json"
import { cleanLine, costText, PLAIN, transcriptPrinter, turnLines } from "@treelog-internal/text"
import { atif } from "./atif.js"
import type { ExportEntries } from "./export-entries.js"
import { markdown } from "./markdown.js"
import { otel } from "./otel.js"
import { sts } from "./sts.js"

/**
 * Markdown, plain text, the lines of the session file, or one JSON document; of formats that other programs read: a trajectory of Harbor's ATIF, a
 * session trace of Hugging Face, or spans of OpenTelemetry.
 */
export const EXPORT_FORMATS = ["md", "text", "jsonl", "json", "atif", "sts", "otel"] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The formats that have all branches, unless one is asked for. */
export const ALL_BRANCHES: ReadonlySet<ExportFormat> = new Set(["jsonl", "json", "otel"])

/** A piece of an export. Bytes where a line was not parsed. */
export type Piece = string | Uint8Array

/** Renders redacted entries in each format. */
export const FORMATS: Readonly<Record<ExportFormat, (entries: ExportEntries) => AsyncIterable<Piece>>> = {
  md: markdown,
  text,
  // The lines of the session, which `treelog import` reads.
  jsonl: (entries) => contents(entries.lines()),
  json,
  atif,
  sts,
  otel,
}

/** What `treelog show --full` prints, without colours and data. */
async function* text(entries: ExportEntries): AsyncGenerator<string> {
  const { name, sessionId, cwd, cost } = entries.head()
  yield `${[name, sessionId, cwd, cost ? costText(cost) : ""].map(cleanLine).filter(Boolean).join(" · ")}\n`
  const options = { style: PLAIN, full: true, withData: false, shortId: cleanLine }
  const linesOf = transcriptPrinter(options)
  for await (const { item, isTurn } of entries.items()) {
    const turn = isTurn ? turnLines(item.entry.parentId, options) : []
    const lines = [...turn, ...linesOf(item)]
    if (lines.length > 0) yield `${lines.join("\n")}\n`
  }
}

export async function* contents(lines: AsyncIterable<{ readonly content: Piece }>): AsyncGenerator<Piece> {
  for await (const { content } of lines) yield content
}

/** The header, and the entries in a list. Entries of older versions are as the current one has them. */
async function* json(entries: ExportEntries): AsyncGenerator<string> {
  const { header, name, leafId, cost } = entries.head()
  const session = { header, name: name ?? null, leafId, allBranches: entries.isWhole, cost }
  yield `{"v":1,"session":${jsonText(session)}`
  let before = ',"entries":[\n'
  for await (const entry of entries.entries()) {
    yield before + jsonText(entry)
    before = ",\n"
  }
  yield before === ",\n" ? "\n]}\n" : `${before}]}\n`
}
