import type { Diagnostic, TreelogError } from "@treelog/session-core"
import type { ListFilter } from "@treelog/session-core/adapter"
import type { FsPort } from "@treelog-internal/fs"
import type { SqliteDriver } from "@treelog-internal/sqlite"
import type { SourceSession } from "../agent-source.js"
import type { Json } from "../json.js"

/** A record of a session, or what stands in the place of one. */
export type SourceRecord =
  | { readonly value: Json }
  /** What cannot be read: `data` is kept of it. */
  | { readonly faults: readonly Diagnostic[]; readonly data: object }
  /** A last line without its end, which may still come. */
  | { readonly torn: readonly Diagnostic[] }

/** Where the records of an agent's sessions are. It only reads. */
export interface RecordStore {
  /** Some at a time, those that cannot be read with their error. */
  list(filter: ListFilter): AsyncIterable<readonly SourceSession[]>
  /** Undefined when there is none under this key. */
  find(key: string): Promise<SourceSession | undefined>
  /** @throws InvalidSessionError, SessionChangedError, SessionNotFoundError, StorageError */
  records(session: SourceSession): AsyncIterable<SourceRecord>
  /** The JSON documents beside the records of a session, which are not in these; undefined for one that is missing. Default: none. */
  beside?(session: SourceSession): Promise<readonly unknown[]>
  /** The files that hold only this session; none in a database. */
  files(session: SourceSession): readonly string[]
  /** The file that changes with the session. */
  watched(session: SourceSession): string | Promise<string>
}

/** What a store is made with. */
export interface StoreOptions {
  /** The folder of the agent. An absolute path. */
  readonly folder: string
  readonly fs: FsPort
  /** Undefined where there is no SQLite. */
  readonly loadDriver: () => Promise<SqliteDriver | undefined>
}

/** A session that cannot be read. */
export function unreadable(key: string, error: TreelogError | Error): SourceSession {
  return { key, error, size: 0, modified: 0, version: "" }
}
