import type { Diagnostic } from "../entry/diagnostic.js"
import type { SessionEntry } from "../entry/entry.js"
import type { SessionHeader } from "../entry/header.js"
import { valueText } from "../entry/value-text.js"
import type { LogRecord } from "../log/parse-line.js"
import type { SessionLog } from "../log/session-log.js"
import { type MigrationReport, migrate } from "../migrate/migrate.js"
import { SessionState } from "./session-state.js"

/** A stored session as it is understood: migrated, with its entries in a tree. */
export interface LoadedSession {
  readonly header: SessionHeader
  readonly state: SessionState
  readonly migration: MigrationReport | undefined
}

/** Understands a log. Pure but for ids of a v1 session, which are a function of it. */
export function loadState(log: SessionLog): LoadedSession {
  const { header, records, report } = migrate(log)
  const state = new SessionState()
  for (const diagnostic of [...log.diagnostics, ...(report?.diagnostics ?? []), ...versionDiagnostics(log)])
    state.report(diagnostic)
  const parents = new Set(records.map(({ value }) => value.parentId))
  const entries = records.flatMap((record, index) => {
    // A damaged entry is kept as a link where something was appended to it; its message is lost, what precedes it is not.
    if (record.isLost && !parents.has(record.value.id)) return []
    return addRecord(state, record, record === log.records[index] && !record.isLost) ?? []
  })
  for (const entry of entries) state.follow(entry)
  return { header, state, migration: report }
}

/** Adds a record to the state if it is an entry, and reports it if it is none. */
export function addRecord(state: SessionState, record: LogRecord, verbatim: boolean): SessionEntry | undefined {
  const { place } = record
  const entry = asEntry(record)
  if (entry) state.add(entry, { place, verbatim })
  else {
    const message = `Line ${place.line} is an object, but no entry: it has no type or no id.`
    state.report({ kind: "not-an-entry", line: place.line, offset: place.offset, message })
  }
  return entry
}

/** An entry has a type and an id; a parent that is neither a string nor null is read as none. */
export function asEntry({ value }: LogRecord): SessionEntry | undefined {
  if (typeof value.type !== "string" || typeof value.id !== "string" || value.id === "") return undefined
  const fits = value.parentId === null || typeof value.parentId === "string"
  return (fits ? value : { ...value, parentId: null }) as unknown as SessionEntry
}

function versionDiagnostics({ header, headerPlace: { line, offset }, version }: SessionLog): Diagnostic[] {
  if (version !== "unsupported") return []
  const message = `The session's version is ${valueText(header.version)}: it can be read, but not written.`
  return [{ kind: "unsupported-version", line, offset, message }]
}
