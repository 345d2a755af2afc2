import type { Diagnostic } from "../entry/diagnostic.js"
import type { SessionEntry, SessionHeader } from "../entry/entry.js"
import { isJsonObject, valueText } from "../entry/values.js"
import { TreelogError } from "../errors.js"
import type { LogIndex } from "../log/log-index.js"
import { type LogRecord, toEntry } from "../log/parse-line.js"
import type { LogOutline, SessionLog } from "../log/session-log.js"
import { type MigrationReport, migrate } from "../migrate/migrate.js"
import type { StoredBodies } from "./reader/stored-bodies.js"
import { SessionState } from "./session-state.js"

/** A stored session as it is understood: migrated, with its entries in a tree. */
interface LoadedSession {
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
  const isNamed = parentsOf(() => records.map(({ value }) => value))
  records.forEach((record, index) => {
    if (record.lost !== "torn" || isNamed(record.value.id)) addRecord(state, record, record === log.records[index])
  })
  state.settle()
  return { header, state, migration: report }
}

/** Understands the index of a session of the current version; `bodies` gives the entries when they are needed. */
export function indexedState(index: LogIndex, bodies: StoredBodies): SessionState {
  const state = new SessionState(bodies)
  for (const diagnostic of index.diagnostics) state.report(diagnostic)
  const isNamed = parentsOf(() => index.items.map((item) => ("head" in item ? item.head : item.value)))
  for (const item of index.items) {
    if ("head" in item) state.addStored(item)
    else if (item.lost !== "torn" || isNamed(item.value.id)) addRecord(state, item, true)
  }
  state.settle()
  return state
}

/** Loads entries that are stored nowhere. @throws InvalidArgumentError for what is not an entry */
export function stateOfEntries(entries: readonly unknown[]): SessionState {
  const state = new SessionState()
  for (const value of entries) {
    const entry = isJsonObject(value) && value.type !== "session" ? toEntry({ value }) : undefined
    if (!entry) {
      const message = "An entry is an object with a type and an id, and a header is not an entry."
      throw new TreelogError("InvalidArgumentError", message, { argument: "entries", value })
    }
    state.add(entry)
  }
  state.settle()
  return state
}

/** Whether an entry is the parent of one of these. They are scanned at the first call. */
function parentsOf(entries: () => readonly { readonly parentId?: unknown }[]): (id: unknown) => boolean {
  let parents: Set<unknown> | undefined
  return (id) => {
    parents ??= new Set(entries().map(({ parentId }) => parentId))
    return parents.has(id)
  }
}

/** Adds a record to the state if it is an entry, and reports it if it is not. */
export function addRecord(state: SessionState, record: LogRecord, isUnchanged: boolean): SessionEntry | undefined {
  const { place, lost } = record
  const entry = toEntry(record)
  if (entry) state.add(entry, { place, verbatim: isUnchanged }, lost !== undefined)
  else {
    const message = `Line ${place.line} is an object, but not an entry: it has no type or no id.`
    state.report({ kind: "not-an-entry", line: place.line, offset: place.offset, message })
  }
  return entry
}

function versionDiagnostics({ header, headerPlace: { line, offset }, version }: LogOutline): Diagnostic[] {
  if (version !== "unsupported") return []
  const message = `The session's version is ${valueText(header.version)}: it can be read, but not written.`
  return [{ kind: "unsupported-version", line, offset, message }]
}
