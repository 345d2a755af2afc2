import { jsonText } from "@treelog/session-core/json"
import { cleanLine, costText, PLAIN, transcriptPrinter, turnLines } from "@treelog-internal/text"
import type { ExportEntries } from "./export-entries.js"
import type { ExportLine } from "./export-lines.js"
import { markdown } from "./markdown.js"
import type { Piece } from "./redaction.js"

/** Markdown, plain text, the lines of the session file, or one JSON document. */
export type ExportFormat = "md" | "text" | "jsonl" | "json"

/** Renders redacted entries in each format. */
export const FORMATS: Readonly<Record<ExportFormat, (entries: ExportEntries) => AsyncGenerator<Piece>>> = {
  md: markdown,
  text,
  // The lines of the session, which `treelog import` reads.
  jsonl: (entries) => linePieces(entries.lines()),
  json,
}

/** What `treelog show --full` prints, without colours and data. */
async function* text(entries: ExportEntries): AsyncGenerator<Piece> {
  const { name, sessionId, cwd, cost } = entries.head()
  yield { text: `${[name, sessionId, cwd, cost ? costText(cost) : ""].map(cleanLine).filter(Boolean).join(" · ")}\n` }
  const options = { style: PLAIN, full: true, withData: false, shortId: cleanLine }
  const linesOf = transcriptPrinter(options)
  for await (const { item, isTurn } of entries.items()) {
    const turn = isTurn ? turnLines(item.entry.parentId, options) : []
    const lines = [...turn, ...linesOf(item)]
    if (lines.length > 0) yield { text: `${lines.join("\n")}\n` }
  }
}

/** Lines as pieces of an export. */
export async function* linePieces(lines: AsyncIterable<ExportLine>): AsyncGenerator<Piece> {
  for await (const { content, opaque } of lines)
    yield typeof content === "string" ? { text: content, isJson: true, opaque } : { text: "", bytes: content }
}

/** The header, and the entries in a list. Entries of older versions are as the current one has them. */
async function* json(entries: ExportEntries): AsyncGenerator<Piece> {
  const { header, name, leafId, cost } = entries.head()
  const session = { header, name: name ?? null, leafId, allBranches: entries.isWhole, ...(cost && { cost }) }
  yield { before: '{"v":1,"session":', text: jsonText(session), isJson: true }
  let before = ',"entries":[\n'
  for await (const entry of entries.entries()) {
    yield { before, text: jsonText(entry), isJson: true, opaque: entries.opaque }
    before = ",\n"
  }
  yield { before: before === ",\n" ? "\n]}\n" : `${before}]}\n`, text: "" }
}
