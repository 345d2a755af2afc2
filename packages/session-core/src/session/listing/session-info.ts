import type { ModelUsage } from "../../entry/usage.js"
import { isTreelogError } from "../../errors.js"
import type { CachedSummary, StorageStat, SummaryState } from "../../ports/session-source.js"
import type { ReadMark } from "../reader/resume-reading.js"

/** What a list says of a session (FORMAT.md, section 8). */
export interface SessionInfo {
  /** Where the session is in its storage: its key there, which is a path for files. */
  readonly path: string
  readonly id: string
  readonly cwd: string
  /** The repository of the folder, as the session's program noted it: its main folder, or the address of its remote. */
  readonly repository?: string
  readonly name?: string
  readonly parentSession?: string
  /** The id of another session, which this one had where it was imported from. */
  readonly otherContentOf?: string
  /** The agent that made it, by its header; missing where it says none: then it is that of the store. */
  readonly agent?: string
  /** The person who bundled it, by its header. */
  readonly person?: string
  /** Milliseconds since 1970; 0 where the header has no time. */
  readonly created: number
  /** The time of the newest user or assistant message, else that of the header. Milliseconds since 1970; 0 where there is none. */
  readonly modified: number
  /** Undefined where a storage knows only the beginning and the end of the session. */
  readonly messageCount?: number
  /** Text of the first user message; empty when there is none. */
  readonly firstMessage: string
  /** Bytes. */
  readonly size: number
  readonly status: SessionStatus
  /**
   * Missing for a session that a person had: `"sdk"` where a program had it, `"subtask"` where it works for its parent, `"empty"` where nothing was said
   * anything. `"archived"` where its program says so.
   */
  readonly kind?: "sdk" | "subtask" | "empty" | "archived"
  /** `provider/model` of the last answer that names one. Missing where only the ends of the session are read, as `usages`. */
  readonly model?: string
  /**
   * What its entries report, all branches and copied ones included: what `costOf` makes a cost of. Missing where that is nothing, and where
   * `messageCount` is.
   */
  readonly usages?: readonly ModelUsage[]
  /** Why the session cannot be read. It is listed anyway. */
  readonly error?: ErrorInfo
}

/** What orders of sessions depend on. */
export interface Recency extends Pick<SessionInfo, "modified"> {
  readonly kind?: SessionInfo["kind"] | undefined
}

/** Newest first; those without a message last. */
export function compareRecency(a: Recency, b: Recency): number {
  return Number(a.kind === "empty") - Number(b.kind === "empty") || b.modified - a.modified
}

/** Compares by recency, with sessions that a person had first: what `@last` means. */
export function comparePreference(a: Recency, b: Recency): number {
  return Number(a.kind !== undefined) - Number(b.kind !== undefined) || compareRecency(a, b)
}

/** How the last turn ended, by the last message. */
export type SessionStatus = "complete" | "interrupted" | "aborted" | "error" | "pending" | "unknown"

/** An error in a list. */
export interface ErrorInfo {
  readonly code: string
  readonly message: string
  /** What the error says of itself: see `TreelogErrorData`. */
  readonly data?: object
}

/** All of it that does not depend on where the session is stored. */
export type SessionFacts = Omit<SessionInfo, "path">

/** The facts of a session that cannot be read. */
export function brokenFacts(id: string | undefined, { code, message }: ErrorInfo, stat?: StorageStat): SessionFacts {
  const when = Math.floor(stat?.modified ?? 0)
  return {
    id: id ?? "",
    cwd: "",
    created: when,
    modified: when,
    messageCount: 0,
    firstMessage: "",
    size: stat?.size ?? 0,
    status: "unknown",
    error: { code, message },
  }
}

/** Incremented when a summary means something else, or the same bytes give another one. */
export const SUMMARY_VERSION = 14

/** A session as a `SummaryCache` keeps it. */
export interface SessionSummary extends SummaryState {
  readonly info: SessionFacts
  readonly resume: ResumePoint
}

/** Where reading can resume when the session has grown, and what `info` does not say of the bytes up to there. */
export interface ResumePoint extends ReadMark {
  /** The times in the header and in the newest message. Milliseconds since 1970; 0 where there is none. */
  readonly created: number
  readonly modified: number
  /** The facts up to `size`, where the last line has no line end: it may be half written, and is read again. */
  readonly info?: SessionFacts
}

const NO_RESUME: ResumePoint = { size: 0, headSize: 0, head: 0, tail: 0, created: 0, modified: 0 }

export function newSummary(info: SessionFacts, resume: ResumePoint): SessionSummary {
  const { cwd, modified, kind, error } = info
  return { version: SUMMARY_VERSION, cwd: error ? undefined : cwd, modified, kind, info, resume }
}

/**
 * The summary that a storage made itself, without reading the session: lists show it as it is. The storage makes it again when the
 * session has changed.
 */
export function summaryState(info: SessionFacts): SummaryState {
  return newSummary(info, NO_RESUME)
}

/** The summary of what cannot be read, or is not a session. It is read anew when it changes. */
export function brokenSummary(id: string | undefined, error: ErrorInfo, stat?: StorageStat): SessionSummary {
  return newSummary(brokenFacts(id, error, stat), NO_RESUME)
}

/** The summary in a cache, if this release can read it. */
export function summaryIn(cached: CachedSummary | undefined): SessionSummary | undefined {
  return cached?.state.version === SUMMARY_VERSION ? (cached.state as SessionSummary) : undefined
}

/** Whether an error says that a file never was a session: an empty one, or another program's. What damaged one says is something else. */
export function isNoSession({ code, data = {} }: Pick<ErrorInfo, "code" | "data">): boolean {
  return code === "InvalidSessionError" && !("isDamaged" in data && data.isDamaged)
}

/** @param code of an error that is not a TreelogError: a storage may report any, but one that was thrown is a fault of the program */
export function errorInfo(error: unknown, code: "StorageError" | "InternalError"): ErrorInfo {
  if (isTreelogError(error)) return error
  const what = error instanceof Error ? error.message || error.name : String(error)
  return { code, message: code === "InternalError" ? `${what} (unexpected)` : what }
}
