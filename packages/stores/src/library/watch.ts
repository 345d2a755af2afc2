import { pause } from "@treelog-internal/fs"
import type { ListedSession } from "./conversation.js"
import type { SessionQuery } from "./session-query.js"
import type { Source } from "./source.js"

/** A conversation that is there, or not any more. */
export interface SessionChange<From extends Source = Source> {
  /** `"listed"`: it is there, new or with another newest message, size or place. `"gone"`: it was listed, and is no longer. */
  readonly change: "listed" | "gone"
  readonly session: ListedSession<From>
}

export interface WatchOptions {
  /** Ends it, also while it waits. */
  readonly signal: AbortSignal
  /** How long it waits before it lists again; longer where a list takes long. Milliseconds; default 4,000. */
  readonly interval?: number
}

/** It waits this many times as long as a list took. */
const PATIENCE = 20

/** Lists again and again, and yields what is different. */
export async function* watchConversations<From extends Source>(
  list: (query: SessionQuery) => AsyncIterable<ListedSession<From>>,
  query: SessionQuery,
  { signal, interval = 4_000 }: WatchOptions,
): AsyncGenerator<SessionChange<From>> {
  let known = new Map<string, ListedSession<From>>()
  while (!signal.aborted) {
    const started = performance.now()
    const found = new Map<string, ListedSession<From>>()
    for await (const session of list(query)) {
      if (signal.aborted) return
      const names = copyKeys(session)
      const before = names.map((name) => known.get(name)).find((one) => one !== undefined)
      for (const name of names) found.set(name, session)
      if (!before || isDifferent(before, session)) yield { change: "listed", session }
    }
    for (const session of new Set(known.values()))
      if (!copyKeys(session).some((name) => found.has(name))) yield { change: "gone", session }
    known = found
    await pause(Math.max(interval, (performance.now() - started) * PATIENCE), signal)
  }
}

/** Of all copies: each can become the one that is listed. */
function copyKeys({ source, path, copies }: ListedSession): string[] {
  return [{ source, path }, ...copies].map((copy) => `${copy.source.name} ${copy.path}`)
}

function isDifferent(a: ListedSession, b: ListedSession): boolean {
  return a.path !== b.path || a.modified !== b.modified || a.size !== b.size || a.name !== b.name
}
