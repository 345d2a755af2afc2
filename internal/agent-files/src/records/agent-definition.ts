import type { Diagnostic, LostResult, SessionHeader } from "@treelog/session-core"
import type { Json } from "../json.js"
import type { EntryWriter } from "./entry-writer.js"
import type { RecordStore, StoreOptions } from "./record-store.js"

/** Where an agent keeps its sessions, and how it goes on with one. Nothing of its code is loaded for that. */
export interface AgentPlace {
  /** As `--store` takes it. */
  readonly name: string
  /** Its folder. The first counts whose variables are set: `["$COPILOT_HOME", "~/.copilot"]`. */
  readonly folders: readonly string[]
  /** A file or folder in there, without which there are no sessions. */
  readonly sessions: string
  /** A variable that names another file or folder with sessions: in there, or an absolute path. */
  readonly sessionsVariable?: string
  /** The command that goes on with a session, such as `["opencode", "--session", "$ID"]`. */
  readonly resume?: readonly [program: string, ...args: string[]]
}

/** How the sessions of an agent are found and read. `openAgentStorage` makes a storage of it. */
export interface AgentDefinition {
  readonly place: AgentPlace
  /** Incremented when a release converts the same records to other entries, or finds other sessions in the same database. */
  readonly conversionVersion: number
  /** What the agent gives its model for a call whose result was never stored, as of a process that was killed, when it goes on with the session. */
  readonly lostResult?: LostResult
  /** Its sessions: `sessionFiles` or `sessionDatabase`. */
  store(options: StoreOptions): RecordStore
  /** Called for each conversion. */
  converter(session: ConvertedRecords): RecordConverter
}

/** A session that is converted. */
export interface ConvertedRecords {
  /** As it was found; a converter may find another one in the records. */
  readonly id: string
  readonly key: string
  /** The JSON documents beside a file of lines; undefined for one that is missing. */
  readonly beside: readonly unknown[]
  readonly writer: EntryWriter
  /** Reports what is wrong and ends nothing. */
  report(diagnostic: Diagnostic): void
}

/**
 * What became of a record: it is in an entry, it is kept as it is in a `custom` entry, which the caller makes, or it is in none, with the reason.
 * Undefined for a kind that the converter does not know: it is kept too, and named.
 */
export type RecordOutcome = "converted" | "kept" | { readonly skipped: string } | undefined

/** Converts the records of one session, in their order. It does no I/O. */
export interface RecordConverter {
  /** What reports and `custom` entries call such a record: `message`, `part:tool`. */
  kindOf(record: Json): string
  record(record: Json, kind: string): RecordOutcome
  /** Called once behind the last record. Undefined where none of them was of a session. */
  end(): SessionHeader | undefined
}
