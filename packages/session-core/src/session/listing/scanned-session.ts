import { isTreelogError } from "../../errors.js"
import type { FoundSession } from "../../ports/summary-cache.js"
import { brokenFacts, type ErrorInfo, type SessionInfo } from "./session-info.js"
import type { SessionSummary } from "./session-summary.js"

/** A session that was scanned. What a list says of it is taken from the cache only when it is needed. */
export class ScannedSession {
  readonly key: string
  /** Its place in the order of lists. Milliseconds since 1970. */
  readonly modified: number
  readonly #found: FoundSession
  readonly #summary: SessionSummary | undefined

  /** @param summary undefined for what cannot be read */
  constructor(found: FoundSession, summary?: SessionSummary) {
    this.key = found.key
    this.modified = summary?.modified ?? found.stat?.modified ?? 0
    this.#found = found
    this.#summary = summary
  }

  /** The id in the key. */
  get id(): string | undefined {
    return this.#found.id
  }

  /** Whether it is listed for a folder: what cannot be read is, since its bucket is that folder's. */
  isOf(cwd: string | undefined): boolean {
    const own = this.#summary?.cwd
    return cwd === undefined || own === undefined || own === cwd
  }

  get info(): SessionInfo {
    const { id, error, stat } = this.#found
    return { path: this.key, ...(this.#summary?.info ?? brokenFacts(id, errorInfo(error), stat)) }
  }
}

/** A storage may name what it cannot read with any error. */
function errorInfo(error: Error | undefined): ErrorInfo {
  const code = isTreelogError(error) ? error.code : error?.name === UNEXPECTED ? UNEXPECTED : "StorageError"
  return { code, message: error?.message ?? "" }
}

const UNEXPECTED = "InternalError"

/** What was thrown while a session was read. One that is none of our errors is a fault of the program: its message says so. */
export function caughtError(error: unknown): Error {
  if (isTreelogError(error)) return error
  const what = error instanceof Error ? error.message || error.name : String(error)
  return Object.assign(new Error(`${what} (unexpected)`, { cause: error }), { name: UNEXPECTED })
}
