import { parse } from "node:path"
import { setImmediate } from "node:timers/promises"
import {
  type ContentBlock,
  CURRENT_VERSION,
  contentText,
  type Diagnostic,
  isEntry,
  type SessionEntry,
  type SessionHeader,
  TreelogError,
} from "@treelog/session-core"
import { DAMAGED, formatLine } from "@treelog/session-core/adapter"
import { usagesOf } from "@treelog/session-core/search"
import type { SourceSession } from "../agent-source.js"
import type { ConversionReport } from "../conversion.js"
import { conversionError } from "../conversion-error.js"
import { wasRecord } from "../damaged-data.js"
import type { Json } from "../json.js"
import type { AgentDefinition, HeaderFields, RecordOutcome } from "./agent-definition.js"
import { EntryWriter } from "./entry-writer.js"
import type { RecordStore } from "./record-store.js"
import { hasTokens, ReportCounter } from "./report-counter.js"

/** How much is handed on at once. UTF-16 units. */
const PIECE = 256 * 1024

/** A converted session. */
export interface ConvertedSession {
  readonly header: SessionHeader
  readonly entries: readonly SessionEntry[]
  readonly report: ConversionReport
  /** Whether records before these decide about one of them. */
  readonly isLacking: boolean
  /** Parts whose records are among its own. */
  readonly parts: readonly (Pick<ConvertedSession, "header" | "entries"> & { readonly name: string })[]
}

/** Converts a session from its start to its present end. @throws InvalidSessionError when no record is one of the agent */
export async function convertRecords(
  { place, lostResult, holdsTranscripts, converter: make }: Omit<AgentDefinition, "store">,
  store: Pick<RecordStore, "records" | "beside" | "parts">,
  session: SourceSession,
): Promise<ConvertedSession> {
  const counter = new ReportCounter()
  const writer = new EntryWriter(lostResult)
  const { key, id = key } = session
  const beside = (await store.beside?.(session, (fault) => counter.report(fault))) ?? []
  const parts = (await store.parts?.(session)) ?? []
  const converter = make({
    id,
    key,
    cwd: session.cwd,
    facts: session.facts ?? {},
    beside,
    parts,
    writer,
    report: (diagnostic) => counter.report(diagnostic),
  })
  const keep = (customType: string, data: object): void => {
    converter.flush?.()
    writer.add("custom", { id: `kept${writer.entries.length + 1}` }, { customType, data })
  }
  /** A record that a converter does not take is kept as it is: what is in the others can be read without it. */
  const taken = (record: Json): { kind: string; outcome: RecordOutcome } => {
    try {
      const kind = converter.kindOf(record)
      return { kind, outcome: converter.record(record, kind) }
    } catch (cause) {
      const { message } = conversionError(key, cause)
      counter.report({ kind: "invalid-field", message })
      return { kind: "damaged", outcome: "kept" }
    }
  }
  let torn: readonly Diagnostic[] = []
  for await (const record of store.records(session)) {
    if ("torn" in record) torn = record.torn
    else if ("faults" in record) {
      for (const fault of record.faults) counter.report(fault)
      if (!record.data) continue
      counter.count("damaged", "kept")
      keep(DAMAGED, record.data)
    } else {
      const { kind, outcome } = taken(record.value)
      counter.count(kind, outcome, () => hasTokens(record.value))
      if (outcome === "kept" || outcome === undefined) keep(`${place.name}.${kind}`, record.value)
    }
  }
  const ended = converter.end()
  // A plug-in written in JavaScript may return fields without an id.
  const fields = typeof ended?.id === "string" ? ended : headless(session, writer)
  if (!fields) {
    const isDamaged = writer.entries.some(
      (entry) => isEntry(entry, "custom") && entry.customType === DAMAGED && wasRecord(entry.data),
    )
    const found = `${isDamaged ? "damage, and " : ""}no record that ${place.name} writes`
    throw new TreelogError("InvalidSessionError", `Not a session of ${place.name} (${found}): ${key}`, {
      key,
      found,
      isDamaged,
    })
  }
  if (writer.transcripts.length > 0 && !holdsTranscripts)
    throw new Error(`The definition of ${place.name} has no holdsTranscripts: nobody would find those of ${key}.`)
  const own = headerOf(place.name, fields)
  for (const one of [writer, ...writer.transcripts.map((part) => part.writer)])
    one.datePrevious(Date.parse(own.timestamp))
  const title: unknown = fields.title
  // As an entry it is found by a search.
  if (typeof title === "string" && title !== "") writer.nameFirst(`${own.id}:name`, title, own.timestamp)
  const { entries, leaf } = writer
  if ((entries.at(-1)?.id ?? null) !== leaf)
    writer.add("custom", { id: `${leaf ?? "start"}:leaf`, parent: leaf }, { customType: "treelog.leaf" })
  const transcripts = writer.transcripts.map(({ part, writer: { entries } }) => {
    part.texts = entries.flatMap(textsOf)
    const place = { id: part.name.replace(/\.jsonl$/, ""), parentSession: own.id, countedIn: own.id }
    return { name: part.name, header: { ...own, ...place }, entries }
  })
  const isCounted = entries.some((entry) => usagesOf(entry).length > 0)
  const report = counter.result(torn, isCounted)
  return { header: own, entries, report, isLacking: converter.isLacking === true, parts: transcripts }
}

/** The header of a session whose first record is damaged, by which something was said. */
function headless(
  { key, id = parse(key).name, cwd }: SourceSession,
  { entries }: EntryWriter,
): HeaderFields | undefined {
  const said = entries.find(({ type }) => type === "message")
  return said && { id, timestamp: said.timestamp, cwd }
}

function headerOf(agent: string, { title: _, source, cwd = "", ...fields }: HeaderFields): SessionHeader {
  const { id, timestamp, ...others } = fields
  const own = { type: "session", id, timestamp, cwd, ...stated(others), source: stated({ agent, ...source }) }
  return { ...own, version: CURRENT_VERSION } as SessionHeader
}

function stated(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== false))
}

function textsOf(entry: SessionEntry): { role: string; text: string }[] {
  if (!isEntry(entry, "message")) return []
  const { role, content = "" } = entry.message as { role: string; content?: string | ContentBlock[] }
  const text = contentText(content)
  return text === "" ? [] : [{ role, text }]
}

/** The lines of a converted session, in pieces between which other work of the process has its turn. */
export function sessionBytes({
  header,
  entries,
}: Pick<ConvertedSession, "header"> & { readonly entries: Iterable<object> }): AsyncGenerator<Uint8Array> {
  function* lines(): Generator<string> {
    yield formatLine(header)
    for (const entry of entries) yield formatLine(entry)
  }
  return piecesOf(lines())
}

/** Lines in pieces between which other work of the process has its turn. */
export async function* piecesOf(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  let text = ""
  for (const line of lines) {
    // A line can be as long as a string can be.
    if (text.length + line.length > PIECE && text !== "") {
      yield Buffer.from(text)
      text = ""
      await setImmediate()
    }
    text += line
  }
  yield Buffer.from(text)
}
