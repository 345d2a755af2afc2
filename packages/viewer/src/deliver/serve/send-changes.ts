import type { ServerResponse } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import type { StorageStat } from "@treelog/session-core"
import { begin, write } from "./respond.js"
import type { Served } from "./served.js"

/** Interval for polling a storage without `watch`. Milliseconds. */
const POLL_INTERVAL = 1_000
/** Interval for comments that keep the connection open. Milliseconds. */
const KEEP_ALIVE_INTERVAL = 15_000

/** Sends the state of the stored session, now and at every change, until the connection closes. The page then requests the bytes. */
export async function sendChanges(served: Served, response: ServerResponse): Promise<void> {
  const { storage, key, closing } = served
  const left = new AbortController()
  response.once("close", () => left.abort())
  const signal = AbortSignal.any([left.signal, closing])
  begin(response, 200, "text/event-stream; charset=utf-8", { "x-accel-buffering": "no" })
  response.flushHeaders()
  const keepAlive = setInterval(() => response.write(":\n\n"), KEEP_ALIVE_INTERVAL)
  try {
    const changes = (storage.watch?.(key, signal) ?? polls(signal))[Symbol.asyncIterator]()
    let sent: string | undefined
    // Watching starts before the first read, so that no change is missed.
    for (let change = changes.next(); ; change = changes.next()) {
      const now = stateOf(await storage.stat(key))
      if (now !== sent) await write(response, `data: ${now}\n\n`)
      sent = now
      if ((await change).done) return
    }
  } finally {
    clearInterval(keepAlive)
    response.end()
  }
}

/** The state as JSON for the page: null when nothing is stored. */
function stateOf(stat: StorageStat | undefined): string {
  return JSON.stringify(stat ? { size: stat.size, identity: stat.identity } : null)
}

async function* polls(signal: AbortSignal): AsyncGenerator<void> {
  while (!signal.aborted) {
    yield
    await wait(POLL_INTERVAL, undefined, { signal, ref: false }).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}
