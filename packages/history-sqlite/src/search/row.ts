import type { Prompt } from "../prompt.js"
import type { HistoryShape } from "../schema/history-shape.js"

/** A row of `history` with these columns. */
export interface HistoryRow {
  readonly id: number
  readonly prompt: string
  readonly created_at: number
  readonly cwd: string | null
  readonly session_id: string | null
}

const NAMES: readonly (keyof HistoryRow)[] = ["id", "prompt", "created_at", "cwd", "session_id"]

export const COLUMNS = NAMES.map((name) => `history.${name}`).join(", ")

/** The columns to select of a table that may lack some of them. */
export function columnsOf({ columns }: HistoryShape): string {
  return NAMES.map((name) => (columns.has(name) ? `history.${name}` : `NULL AS ${name}`)).join(", ")
}

/** Larger times (after the year 5138) are in milliseconds, which some programs write. Seconds. */
const MOST_SECONDS = 1e11

export function promptOf({ id, prompt, created_at, cwd, session_id }: HistoryRow): Prompt {
  const createdAt = milliseconds(created_at)
  return { id, text: prompt, createdAt, cwd: cwd ?? undefined, sessionId: session_id ?? undefined }
}

/** The time of a row in milliseconds, with a precision of seconds. */
export function milliseconds(created_at: number): number {
  const seconds = created_at > MOST_SECONDS ? created_at / 1000 : created_at
  return Math.floor(seconds) * 1000
}

/** The time to store for a prompt, in seconds since 1970, at most `MOST_SECONDS`. NaN and infinite times become 0. */
export function secondsOf(ms: number): number {
  if (!Number.isFinite(ms)) return 0
  return Math.min(Math.max(Math.floor(ms / 1000), 0), MOST_SECONDS)
}
