import type { FilterValues } from "../entry/filters.js"
import type { ModelUsage, UsageTotals } from "../entry/usage.js"
import type { TreelogError } from "../errors.js"
import type { PartOfSession } from "./session-source.js"

/** Called with the name of a source that cannot be read, where there are others, and why. */
export type OnUnreadableSource = (source: string, error: TreelogError) => void

/**
 * Answers what was said, spent and changed in all sessions of one source, or of several. It is derived from the sessions alone: it can be deleted at
 * any time, and `update` brings it up to date from what was appended since.
 *
 * Answers come from what was indexed last; they never wait for an `update`, and may be requested while one runs. Methods fail with
 * `IndexUnavailableError` when the index cannot be opened or was closed, and with `StorageError` when it cannot be read.
 * `@treelog/session-core/testing` exports the contract suite for implementations.
 */
export interface SessionIndex {
  /**
   * Reads what is new in the storage, the newest sessions first. What cannot be read is reported, and never ends the update. Stopped
   * at any point, the index is right for what it holds, and the next update continues.
   * @throws the reason of `options.signal` when it aborts
   */
  update(options?: IndexUpdateOptions): Promise<IndexUpdateReport>

  /** Finds texts by words, phrases and parts of words. @throws InvalidArgumentError for a limit below 1 */
  search(query: SearchQuery): Promise<SearchResult>

  /**
   * Sums tokens and costs. What several sessions have counts once: for the first of those that fit, which is one of an agent's own before copies in
   * other stores, and then the oldest.
   */
  usage(query: UsageQuery): Promise<UsageRow[]>

  /** Finds the entries that read or changed a file, the newest first. @throws InvalidArgumentError as `search`, and for an empty path */
  files(query: FileQuery): Promise<FileUse[]>

  /** Releases all resources. Every later call fails. */
  close(): Promise<void>
}

/** Options of an update. */
export interface IndexUpdateOptions {
  /** Only these sources. Default: all that the index was made with. */
  readonly sources?: readonly string[] | undefined
  /** Only what `usage` answers from, where that is found without the rest of a session: the next update without it reads the rest. Default: all. */
  readonly only?: "usage" | undefined
  /** Default: such a source fails the update. */
  readonly onUnreadableSource?: OnUnreadableSource | undefined
  readonly signal?: AbortSignal | undefined
  /** Called repeatedly, and once at the end. */
  readonly onProgress?: (progress: IndexProgress) => void
}

/** How far an update is. */
export interface IndexProgress {
  /** Sessions that are up to date. */
  readonly done: number
  /** Sessions of the storage. */
  readonly total: number
  /** Bytes that were read. */
  readonly bytes: number
  /** What sessions have that were modified after this time can be found. Milliseconds since 1970; 0 at the end of an update. */
  readonly upToDateAfter: number
}

/** What an update did. */
export interface IndexUpdateReport extends IndexProgress {
  /** Sessions of which something was read. */
  readonly read: number
  /** Sessions that are stored no more. */
  readonly removed: number
  /** Sessions that cannot be read, and why. */
  readonly failed: readonly { readonly key: string; readonly code: string; readonly message: string }[]
  /** The keys of files, and folders, that are no sessions: empty, or of another program. Nothing of a session is missing. */
  readonly foreign: readonly string[]
}

/** By whom, or as what, a text was said. */
export type TextRole =
  | "user"
  | "assistant"
  | "thinking"
  /** The name of a tool and its arguments; a command that the user ran. */
  | "toolCall"
  /** The output of a tool, of a command or of an extension; the content of a mentioned file. */
  | "toolResult"
  /** Of a compaction or of an abandoned branch. */
  | "summary"
  | "label"
  /** Of the session. */
  | "name"
  /**
   * Instructions of the system, what programs put before a model and no user sees, such as reminders, and messages of unknown roles. Only
   * found where it is asked for.
   */
  | "other"

/** Which sessions and entries an answer is about. Texts are compared without case and accents. */
export interface IndexFilter extends FilterValues {
  /** Sessions of these sources. Default: of all that the index was made with. */
  readonly sources?: readonly string[] | undefined
  /** Sessions of this folder. */
  readonly cwd?: string | undefined
  /** Sessions for which it is true, such as those of a project. */
  readonly isWanted?: ((session: IndexedSession) => boolean) | undefined
  /** The session with this id; or those whose ids begin with it. */
  readonly session?: string | undefined
  /** Sessions that read or changed a file whose path ends with this one, or with one of these. */
  readonly file?: string | readonly string[] | undefined
  /** Entries made at this time or later. Milliseconds since 1970. */
  readonly since?: number | undefined
  /** Entries made before this time. Milliseconds since 1970. */
  readonly until?: number | undefined
}

/** Which copy of a conversation an answer names. */
export interface CopyChoice {
  /**
   * Chooses one of the sessions with one id that have what was found: at least two.
   * Default: the one whose usage counts.
   */
  readonly faceOf?: ((copies: readonly IndexedSession[]) => Promise<IndexedSession>) | undefined
}

/** A part of a query. */
export interface SearchTerm {
  /** One word, or several that follow each other. */
  readonly text: string
  /** The last word may continue. */
  readonly isPrefix?: boolean
  /** Texts that contain it are not found. */
  readonly isExcluded?: boolean
}

/**
 * What is looked for. A text is found when it contains all terms (as whole words; in all but thinking and results also within words, from three
 * characters on, or one of Chinese, Japanese or Korean, of which two or more are found anywhere) and none that is excluded. Without terms, all texts are found that fit.
 */
export interface SearchQuery extends IndexFilter, CopyChoice {
  /** Default: such a source fails the search. */
  readonly onUnreadableSource?: OnUnreadableSource | undefined
  readonly terms?: readonly SearchTerm[]
  /** Default: all but `other`. */
  readonly roles?: readonly TextRole[] | undefined
  /** Calls and results of this tool. */
  readonly tool?: string | undefined
  /** Labels that contain the text. */
  readonly label?: string | undefined
  /**
   * What is found once: `"text"` (default), in the oldest session that fits, where forks share it; or `"session"`: of each session, also of
   * forks, the newest text that matches.
   */
  readonly distinct?: "text" | "session"
  /** Default: `"newest"` first. */
  readonly sort?: (typeof QUERY_VALUES.sort)[number]
  /** At most so many hits. Default 50. */
  readonly limit?: number
  /** About how long a snippet is. UTF-16 units; default 160. */
  readonly snippet?: number
}

/** The session of an answer. */
export interface IndexedSession {
  /** The storage's key: for files, the path. */
  readonly key: string
  /** The source that it is in, of an index of several. */
  readonly source?: string
  readonly id: string
  readonly cwd: string
  readonly project?: string | undefined
  /** The repository of the folder, as the session's program noted it: its main folder, or the address of its remote. */
  readonly repository?: string
  /** Empty if it has none. */
  readonly name: string
  /** Milliseconds since 1970; 0 if its header has no time. */
  readonly created: number
  /** The agent that made it, by its header, or whose source it is in. */
  readonly agent?: string
  /** The person who bundled it, by its header. */
  readonly person?: string
  /** What a fork names as its source: an id, or a path. */
  readonly parentSession?: string
  /** Of a part of a session: which one it is. Answers name the session instead. */
  readonly part?: PartOfSession
}

/** A part of a text, with what the terms of the query matched in it. */
export interface Snippet {
  readonly text: string
  /** Begin and end of each match within `text`. UTF-16 units. */
  readonly matches: readonly (readonly [from: number, to: number])[]
  /** Whether the text continues before and behind. */
  readonly isCutBefore: boolean
  readonly isCutAfter: boolean
}

/** A text that was found. */
export interface SearchHit {
  /** The entry to open: for a label, the labelled one. */
  readonly entryId: string
  readonly role: TextRole
  /** Milliseconds since 1970; 0 if the entry has no time. */
  readonly time: number
  /** A number of what the entry says: entries of one id that say something else have another one. */
  readonly content: number
  /** `provider/model`. */
  readonly model?: string | undefined
  readonly tool?: string | undefined
  /** The part of the session that has it. */
  readonly part?: HitPart | undefined
  readonly snippet: Snippet
}

/** A part of a session in which something was found, such as the transcript of a sub-agent. */
export interface HitPart {
  /** The name of its artifact. */
  readonly name: string
  /** Such as `subagent`. */
  readonly role: string
  /** The storage's key by which the part is opened, where it has one: for files, the path. Otherwise the entry is in the session itself. */
  readonly key?: string
}

/** The hits of a session, in the order of the query. */
export interface SessionHits {
  readonly session: IndexedSession
  readonly hits: readonly SearchHit[]
}

/** Hits, grouped by session in the order of the first hit of each. */
export interface SearchResult {
  readonly sessions: readonly SessionHits[]
  /** Whether there are more than the limit. */
  readonly isMore: boolean
}

/** What fields of queries can have, in the order of help texts: options, typed queries, MCP and the page read them here. */
export const QUERY_VALUES = {
  /** What can stand behind `role:`. */
  role: ["user", "assistant", "thinking", "tool", "call", "result", "summary", "label", "name", "other"],
  sort: ["newest", "relevance"],
  by: ["total", "hour", "day", "week", "month", "model", "project", "agent", "person", "session", "role"],
} as const

/** Which sums are requested. */
export interface UsageQuery extends IndexFilter {
  /**
   * Days (`2026-11-23`), ISO weeks (`2026-W48`), months (`2026-11`) and hours of the day (`09`) are local. By role: what the parts of sessions
   * used under their roles, such as `subagent`, and what the sessions themselves did under an empty key. By agent and person: under an
   * empty key what no agent or person is known of. Default: one row, `total`.
   */
  readonly by?: (typeof QUERY_VALUES.by)[number]
  /** Of each such row the sums of sessions, as rows of their own. */
  readonly per?: "session" | undefined
}

/** A sum. Times come in their order, everything else by what was reported, the dearest first. */
export interface UsageRow {
  /** The hour, the day, the week, the month, the folder, the agent, the person, the model, or the key of the session; empty where it is not known. */
  readonly key: string
  readonly totals: UsageTotals
  /** The usage by calls that are alike: what `costOf` estimates a cost from. */
  readonly usages: readonly ModelUsage[]
  /** Of a sum by or per session. */
  readonly session?: IndexedSession
}

/** Which uses of files are requested. */
export interface FileQuery extends Omit<IndexFilter, "model">, CopyChoice {
  /** A path, or the end of one: `retry.ts`, `src/retry.ts`; or several of them. */
  readonly path: string | readonly string[]
  /** Only what was changed, not what was only read. */
  readonly isChanged?: boolean
  /** At most so many. Default 50. */
  readonly limit?: number
}

/** An entry that read or changed a file: one whose call failed did neither. */
export interface FileUse {
  readonly session: IndexedSession
  readonly entryId: string
  /** Milliseconds since 1970. */
  readonly time: number
  /** As it was given. */
  readonly path: string
  readonly isChange: boolean
  /** The part of the session that used it. */
  readonly part?: HitPart
}
