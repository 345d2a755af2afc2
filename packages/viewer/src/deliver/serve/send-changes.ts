import type { ServerResponse } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import type { StorageStat } from "@treelog/session-core"
import { begin, write } from "./respond.js"
import type { Served } from "./served.js"

/** How often a storage is looked at that cannot be watched, and that a connection is kept awake. Milliseconds. */
const LOOK = 1_000
const AWAKE = 15_000

/** Tells what is stored, at once and whenever it changes, until nobody listens. The page asks for the bytes then. */
export async function sendChanges(served: Served, response: ServerResponse): Promise<void> {
  const { storage, key, closing } = served
  const left = new AbortController()
  response.once("close", () => left.abort())
  const signal = AbortSignal.any([left.signal, closing])
  begin(response, 200, "text/event-stream; charset=utf-8", { "x-accel-buffering": "no" })
  response.flushHeaders()
  const awake = setInterval(() => response.write(":\n\n"), AWAKE)
  try {
    const changes = (storage.watch?.(key, signal) ?? looks(signal))[Symbol.asyncIterator]()
    let told: string | undefined
    // Watched from before the first look: nothing can happen in between.
    for (let change = changes.next(); ; change = changes.next()) {
      const now = stateOf(await storage.stat(key))
      if (now !== told) await write(response, `data: ${now}\n\n`)
      told = now
      if ((await change).done) return
    }
  } finally {
    clearInterval(awake)
    response.end()
  }
}

/** As the page reads it: null when nothing is stored. */
function stateOf(stat: StorageStat | undefined): string {
  return JSON.stringify(stat ? { size: stat.size, identity: stat.identity } : null)
}

async function* looks(signal: AbortSignal): AsyncGenerator<void> {
  while (!signal.aborted) {
    yield
    await wait(LOOK, undefined, { signal, ref: false }).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}
