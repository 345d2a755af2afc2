import type { ListedSession } from "../library/conversation.js"
import type { Library } from "../library/library.js"
import type { SessionQuery } from "../library/session-query.js"
import type { Source } from "../library/source.js"
import type { Surroundings } from "../surroundings.js"
import { LiveSessions, type LiveState } from "./live-state.js"
import type { Machine } from "./processes.js"

/** A session, and what it does. */
export type LiveSession<From extends Source = Source> = ListedSession<From> & { readonly live: LiveState }

export interface LiveListOptions {
  readonly surroundings: Surroundings
  /** Milliseconds since 1970. */
  readonly now: number
  /** Sessions that were written to since, also without a process. Milliseconds since 1970; default: the last 24 hours. */
  readonly since?: number | undefined
  /** At most so many. */
  readonly limit?: number | undefined
  /** Called where the limit left sessions out. */
  readonly onMore?: () => void
  readonly signal?: AbortSignal | undefined
  /** Default: this one. */
  readonly machine?: Machine
}

const DAY = 24 * 60 * 60 * 1000

/** Lists sessions that were written to lately, or that a process has, with what each does: the newest first. @throws StorageError */
export async function* listLive<From extends Source>(
  library: Library<From>,
  query: SessionQuery,
  { surroundings, now, since = now - DAY, limit, onMore, signal, machine }: LiveListOptions,
): AsyncGenerator<LiveSession<From>> {
  const live = await LiveSessions.at(now, surroundings, machine)
  let count = 0
  for await (const session of library.list(query, { order: "newest", signal })) {
    if (!(await live.isCandidate(session, since))) continue
    if (count === limit) return onMore?.()
    count += 1
    yield { ...session, live: await live.stateOf(session) }
  }
}
