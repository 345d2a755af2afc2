import { createHash } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { PostgresClient } from "./client.js"
import type { Database } from "./database.js"
import { toStorageError } from "./postgres-error.js"

const CHANNEL = "treelog"

/** At most one notification of a key in this time: each takes a lock that all commits of the server share. Milliseconds. */
const NOTIFY_MS = 200

/** How often a watched session is looked up where changes are not heard of. Milliseconds. */
const POLL_MS = 500
/** The interval of polls where notifications come: a process that ends may not have sent its last notification. */
const LISTENING_POLL_MS = 5_000

const NOTIFY =
  "select pg_notify($2, payload) from json_array_elements_text($3::text::json) as payload where $1::text is not null"

type Listening = Promise<() => Promise<void>>

/** Sends notifications of changed sessions, outside the transactions that change them, and receives those of others. */
export class Changes {
  readonly #database: Database
  readonly #client: PostgresClient
  readonly #onError: (error: unknown) => void
  readonly #waiting = new Set<string>()
  readonly #watchers = new Map<string, Set<() => void>>()
  #lastSent = Number.NEGATIVE_INFINITY
  #isScheduled = false
  #listening: Listening | undefined

  /** @param onError gets what no caller gets: that a notification failed, or that no connection could listen */
  constructor(database: Database, client: PostgresClient, onError: (error: unknown) => void) {
    this.#database = database
    this.#client = client
    this.#onError = onError
  }

  notify(key: string): void {
    this.#waiting.add(this.#payload(key))
    if (this.#isScheduled) return
    this.#isScheduled = true
    const delay = Math.max(0, this.#lastSent + NOTIFY_MS - performance.now())
    setTimeout(() => void this.#send(), delay).unref()
  }

  /** Yields at the start, then when a notification of the key arrives or its state differs, until the signal aborts. */
  async *watch(key: string, signal: AbortSignal, stateOf: () => Promise<string>): AsyncGenerator<void> {
    const payload = this.#payload(key)
    let woken = new AbortController()
    const wake = () => woken.abort()
    const watchers = this.#watchers.get(payload) ?? new Set()
    this.#watchers.set(payload, watchers.add(wake))
    signal.addEventListener("abort", wake)
    try {
      let state: string | undefined
      while (!signal.aborted) {
        const isListening = await this.#listen()
        woken = new AbortController()
        const found = await stateOf()
        if (signal.aborted) return
        if (found !== state) {
          state = found
          yield
        }
        const time = isListening ? LISTENING_POLL_MS : POLL_MS
        await sleep(time, undefined, { signal: woken.signal }).catch(() => {})
      }
    } finally {
      signal.removeEventListener("abort", wake)
      watchers.delete(wake)
      if (watchers.size === 0) this.#watchers.delete(payload)
      if (this.#watchers.size === 0) await this.#stop()
    }
  }

  /** A digest, so that a listener learns no key of another tenant, and a long key fits. */
  #payload(key: string): string {
    return createHash("sha256")
      .update(JSON.stringify([this.#database.tenant, key]))
      .digest("base64url")
  }

  async #send(): Promise<void> {
    this.#isScheduled = false
    this.#lastSent = performance.now()
    const payloads = JSON.stringify([...this.#waiting])
    this.#waiting.clear()
    const sending = this.#database.query({ key: CHANNEL, operation: "notify" }, NOTIFY, [CHANNEL, payloads])
    // Those who wait for a notification that fails look the session up later.
    await sending.catch(this.#onError)
  }

  /** Whether changes are heard of. A connection that cannot be made is tried again when the session is looked up next. */
  async #listen(): Promise<boolean> {
    const { listen } = this.#client
    if (!listen) return false
    const listening =
      this.#listening ??
      listen(
        CHANNEL,
        (payload) => this.#hear(payload),
        () => this.#end(listening),
      )
    this.#listening = listening
    try {
      await listening
      return true
    } catch (error) {
      this.#forget(listening)
      this.#onError(toStorageError(error, CHANNEL, "listen"))
      return false
    }
  }

  #hear(payload: string): void {
    for (const wake of this.#watchers.get(payload) ?? []) wake()
  }

  /** What happened in between was not reported: all read again. */
  #end(listening: Listening): void {
    this.#forget(listening)
    for (const watchers of this.#watchers.values()) for (const wake of watchers) wake()
  }

  #forget(listening: Listening): void {
    if (this.#listening === listening) this.#listening = undefined
  }

  async #stop(): Promise<void> {
    const listening = this.#listening
    this.#listening = undefined
    if (!listening) return
    // One that was never made was reported, and needs no end.
    const [outcome] = await Promise.allSettled([listening])
    if (outcome.status === "fulfilled") await outcome.value().catch(this.#onError)
  }
}
