import type { StorageStat } from "../../ports/storage-stat.js"

/** What a list says of a session (FORMAT.md, section 8). */
export interface SessionInfo {
  /** The storage's key of the session: for files, its path. */
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string
  readonly parentSession?: string
  /** Milliseconds since 1970. */
  readonly created: number
  /** The newest user or assistant message, else the header, else the storage's own time. Milliseconds since 1970. */
  readonly modified: number
  readonly messageCount: number
  /** Text of the first user message; empty when there is none. */
  readonly firstMessage: string
  /** Bytes. */
  readonly size: number
  readonly status: SessionStatus
  /** Why the session cannot be read. It is listed all the same. */
  readonly error?: ErrorInfo
}

/** How the last turn ended, by the last message. */
export type SessionStatus = "complete" | "interrupted" | "aborted" | "error" | "pending" | "unknown"

/** An error in a list. */
export interface ErrorInfo {
  readonly code: string
  readonly message: string
}

/** All of it that does not depend on where the session is stored. */
export type SessionFacts = Omit<SessionInfo, "path">

/** The facts of a session that cannot be read. */
export function brokenFacts(id: string | undefined, { code, message }: ErrorInfo, stat?: StorageStat): SessionFacts {
  const when = stat?.modified ?? 0
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
