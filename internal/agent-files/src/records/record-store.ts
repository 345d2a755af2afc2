import { basename } from "node:path"
import { type Diagnostic, isTreelogError, type TreelogError } from "@treelog/session-core"
import type { FsPort } from "@treelog-internal/fs"
import type { SqliteDriver } from "@treelog-internal/sqlite"
import type { AgentSource, FileNotes, SourceSession } from "../agent-source.js"
import type { Json } from "../json.js"
import type { SourceRecord } from "../records-in-line.js"

/** The name of a part that is a file of its own: what it becomes has the form of a session, whatever the agent wrote. */
export function partNameOf(path: string): string {
  return `${basename(path).replace(/\.jsonl?$/, "")}.jsonl`
}

/** Where the records of an agent's sessions are. It only reads, and lists parts too. */
export interface RecordStore extends Pick<AgentSource, "list" | "find"> {
  /** @throws InvalidSessionError, SessionChangedError, SessionNotFoundError, StorageError */
  records(session: SourceSession): AsyncIterable<SourceRecord>
  /** Those from the last compaction on, and what it kept before it; undefined where there is none, or all are needed. Default: all are read. */
  recordsOfEnd?(session: SourceSession): Promise<readonly Json[] | undefined>
  /**
   * The JSON documents beside the records of a session, which are not in these; undefined for one that is missing, or damaged, which is reported.
   * Default: none.
   */
  beside?(session: SourceSession, report: (fault: Diagnostic) => void): Promise<readonly unknown[]>
  /** The parts in the folder of a session, with their records. Default: none. */
  parts?(session: SourceSession): Promise<readonly { readonly name: string; readonly records: readonly Json[] }[]>
  /** The files that hold only this session; none in a database. */
  files(session: SourceSession): readonly string[]
  /** The file that changes with the session. */
  watched(session: SourceSession): string | Promise<string>
  /** The one database with all sessions. Default: they are in files in the agent's folder. */
  readonly database?: string
  /** Whether a key would be one of its sessions. Default: what is in the database, or in the folder. */
  isKey?(key: string): boolean
}

/** Several stores as one. @param storeOf which of them has a key */
export function joinedStores(stores: readonly RecordStore[], storeOf: (key: string) => RecordStore): RecordStore {
  return {
    async *list(filter) {
      for (const store of stores) yield* store.list(filter)
    },
    find: async (key) => storeOf(key).find(key),
    records: (session) => storeOf(session.key).records(session),
    recordsOfEnd: async (session) => storeOf(session.key).recordsOfEnd?.(session),
    files: (session) => storeOf(session.key).files(session),
    watched: (session) => storeOf(session.key).watched(session),
  }
}

/** What a store is made with. */
export interface StoreOptions {
  /** The folder of the agent. An absolute path. */
  readonly folder: string
  /** What has the sessions in there. */
  readonly sessions: string
  readonly fs: FsPort
  /** What the store keeps about its files. */
  readonly notes: FileNotes
  /** Undefined where there is no SQLite. */
  readonly loadDriver: () => Promise<SqliteDriver | undefined>
}

/** A session that cannot be read. @throws what is no error of treelog, as it is */
export function unreadable(key: string, error: unknown): SourceSession {
  if (!isTreelogError(error)) throw error
  return { key, error: error as TreelogError, size: 0, modified: 0, version: "" }
}

/** The top session that a part works for, which no other started; the part itself where that is gone, or in a circle. */
export function rootOf(id: string, parents: ReadonlyMap<string, string | undefined>): string {
  const seen = new Set<string>()
  let root = id
  for (let parent = parents.get(root); parent && parents.has(parent); parent = parents.get(root)) {
    if (seen.has(parent)) return id
    seen.add(parent)
    root = parent
  }
  return root
}
