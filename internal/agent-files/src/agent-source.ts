import type { SessionEntry, SessionInfo, SessionSource } from "@treelog/session-core"
import type { ListFilter, SessionArtifact, StoredName } from "@treelog/session-core/adapter"
import type { Checkpoint, Conversion } from "./conversion.js"
import type { Json } from "./json.js"

/** What is wanted of the end of a session. */
export type EndOptions = Parameters<NonNullable<SessionSource["end"]>>[1]

/** What a session used, and what it is called. The state of its files is added by the storage. */
export type SourceUsage = Omit<NonNullable<Awaited<ReturnType<NonNullable<SessionSource["usage"]>>>>, "source">

/** A session of an agent as it was found. Nothing of it was read. */
export interface SourceSession extends StoredName {
  /** Bytes of the source files. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Changes with each of the files that the session consists of: their names, sizes, times and inodes. */
  readonly version: string
  /** What of its version an exact copy has, too. Default: all. */
  readonly copiedVersion?: string
  /** Its folder, where files beside it say that: its version then changes with it. */
  readonly cwd?: string
  /** What else files beside it say of it, as plain JSON, for its conversion. */
  readonly facts?: Json
}

/** What a source keeps in the cache about its files, so that a later process need not read them. */
export interface FileNotes {
  /**
   * Undefined where there is none of this version. Check it: a file of the cache can be damaged.
   * @param version of the file @param kind of the note, of a file that has several
   */
  get(path: string, version: string, kind?: string): object | undefined
  /** @param note plain JSON */
  put(path: string, version: string, note: object, kind?: string): void
}

/** The folder of an agent: which sessions are in it, and what they become. It only reads. */
export interface AgentSource {
  /** The name of the agent, as `--store` takes it. */
  readonly agent: string
  /** The folder of the agent, or its one database. An absolute path. */
  readonly folder: string
  /** What else decides what a session becomes, of a source that is not treelog's. */
  readonly conversionVersion?: number | undefined
  /** Whether the version of a session changes beside its file, with its parts or with time: then watching it compares that, too. */
  readonly changesBeside?: true
  /** Lists sessions without opening them, some at a time; their parts, where these are asked for. What cannot be read is listed with its error. */
  list(filter: ListFilter): AsyncIterable<readonly SourceSession[]>
  /** As `SessionSource.listsAll`. */
  listsAll(filter: ListFilter): boolean
  /** The session under this key; undefined when there is none. */
  find(key: string): Promise<SourceSession | undefined>
  /** What a list shows, from the head and the tail of the source. @throws InvalidSessionError, StorageError */
  facts(session: SourceSession): Promise<Omit<SessionInfo, "path">>
  /**
   * Converts a session as it is now: to equal bytes for equal sources.
   * @param from where to go on, of an earlier conversion by this version: the session is converted from its start where what stands before has changed,
   * or what follows concerns it
   * @throws InvalidSessionError when it is no session; SessionChangedError, SessionNotFoundError, StorageError
   */
  convert(session: SourceSession, from?: Checkpoint): Promise<Conversion>
  /** As `SessionSource.end`, of what `convert` would give. @throws as `convert` */
  end?(session: SourceSession, options: EndOptions): Promise<readonly SessionEntry[] | undefined>
  /**
   * What a session used, of what `convert` would give, where that is found in less than two thirds of the time; undefined where only the whole says it.
   * @throws as `convert`
   */
  usage?(session: SourceSession): Promise<SourceUsage | undefined>
  /**
   * The transcripts of its sub-agents, and the files beside it. What they are made of is read when their chunks are asked for.
   * @throws as `convert`
   */
  artifacts(session: SourceSession): AsyncIterable<SessionArtifact>
  /** Called once, before anything else, where the source may keep notes. */
  useNotes?(notes: FileNotes): void
  /** The files that a session is made of, and no other: absolute paths, the one that is written to last. None of one in a database. */
  files(session: SourceSession): readonly string[] | Promise<readonly string[]>
  /** The file that changes with the session. Default: the last of its files. */
  watched?(session: SourceSession): string | Promise<string>
  /** Whether a path is a key of a session in the agent's folder, whether there is one or not. Default: those of rollouts and JSONL. */
  isKey?(key: string): boolean
}
