import { streamResponse } from "./respond.js"
import { placeOf, type StoredSession } from "./stored-session.js"

/** Interval for asking a storage without `watch`. Milliseconds. */
const POLL_INTERVAL = 1_000
/** Interval for comments that keep the connection open. Milliseconds. */
const KEEP_ALIVE_INTERVAL = 15_000

/**
 * Sends the size and the identity of a session, now and at every change, as server-sent events until the reader leaves; null when
 * nothing is stored any more.
 */
export function sendChanges(session: Pick<StoredSession, "storage" | "key">, signal: AbortSignal): Response {
  const left = new AbortController()
  const changes = changesOf(session, AbortSignal.any([left.signal, signal]))
  return streamResponse(changes, "text/event-stream; charset=utf-8", left)
}

async function* changesOf(
  { storage, key }: Pick<StoredSession, "storage" | "key">,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  const changes = (storage.watch?.(key, signal) ?? polls(signal))[Symbol.asyncIterator]()
  try {
    let sent: string | undefined
    // Watching starts before the first read, so that no change is missed.
    for (let change = changes.next(); ; change = changes.next()) {
      const stat = await storage.stat(key)
      const now = JSON.stringify(stat ? placeOf(stat) : null)
      if (now !== sent) yield utf8.encode(`data: ${now}\n\n`)
      sent = now
      while ((await Promise.race([change, delay(KEEP_ALIVE_INTERVAL, signal)])) === undefined) {
        if (signal.aborted) return
        yield utf8.encode(":\n\n")
      }
      if ((await change).done) return
    }
  } finally {
    await changes.return?.()
  }
}

async function* polls(signal: AbortSignal): AsyncGenerator<void> {
  while (!signal.aborted) {
    yield
    await delay(POLL_INTERVAL, signal)
  }
}

/** Resolves after so many milliseconds, or when the signal aborts. */
function delay(milliseconds: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve(undefined)
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener("abort", end, { once: true })
    if (signal.aborted) end()
  })
}
