import type { Followed } from "./followed.js"
import { delay } from "./polls.js"
import { startedResponse } from "./respond.js"

/** Interval for comments that keep the connection open. Milliseconds. */
const KEEP_ALIVE_INTERVAL = 15_000

/**
 * Sends the size and the identity, now and at every change, as server-sent events until the reader leaves; null when nothing is stored
 * any more.
 */
export function sendChanges(followed: Followed, signal: AbortSignal): Promise<Response> {
  const left = new AbortController()
  const changes = changesOf(followed, AbortSignal.any([left.signal, signal]))
  return startedResponse(changes, "text/event-stream; charset=utf-8", left)
}

async function* changesOf(followed: Followed, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  const changes = followed.changes(signal)[Symbol.asyncIterator]()
  try {
    let sent: string | undefined
    let quiet = delay(KEEP_ALIVE_INTERVAL, signal)
    // Watching starts before the first read, so that no change is missed.
    for (let change = changes.next(); ; change = changes.next()) {
      const now = JSON.stringify((await followed.place()) ?? null)
      if (now !== sent) yield utf8.encode(`data: ${now}\n\n`)
      sent = now
      while ((await Promise.race([change, quiet])) === undefined) {
        if (signal.aborted) return
        yield utf8.encode(":\n\n")
        quiet = delay(KEEP_ALIVE_INTERVAL, signal)
      }
      if ((await change).done) return
    }
  } finally {
    await changes.return?.()
  }
}
