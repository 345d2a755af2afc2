import type { SessionStorage } from "../../ports/session-storage.js"
import { equal, ok } from "../assert.js"
import { abortController, sleep } from "../platform.js"

/** A platform may report changes late, and may need some time to start watching. */
const DEADLINE_MS = 10_000
const SETTLED_MS = 150

/** Counts the changes that a watch reports. */
export class Watching {
  readonly #controller = abortController()
  readonly #ended: Promise<PromiseSettledResult<void>[]>
  #reported = 0

  constructor(storage: SessionStorage, key: string) {
    const changes = storage.watch?.(key, this.#controller.signal)
    this.#ended = Promise.allSettled([this.#count(changes ?? [])])
  }

  /** Asserts that the watch reports the change, after it has settled. */
  async reports(what: string, change: () => Promise<unknown>): Promise<void> {
    await this.settled()
    const before = this.#reported
    await change()
    const start = Date.now()
    while (this.#reported === before && Date.now() - start < DEADLINE_MS) await sleep(5)
    ok(this.#reported > before, `the watch reports ${what}`)
  }

  /** Aborts, and asserts that the watch then ends without an error. */
  async end(): Promise<void> {
    this.#controller.abort()
    equal(await this.#ended, [{ status: "fulfilled", value: undefined }], "the end of the watch")
  }

  async #count(changes: AsyncIterable<void> | Iterable<void>): Promise<void> {
    for await (const _ of changes) this.#reported++
  }

  /** Resolves when the watch has probably started and reported all earlier changes. */
  async settled(): Promise<void> {
    for (let before = -1; before !== this.#reported; ) {
      before = this.#reported
      await sleep(SETTLED_MS)
    }
  }
}

/** Asserts that something ends instead of waiting for a change that never comes. */
export async function endsAtOnce(what: string, work: () => Promise<void>): Promise<void> {
  let ended = false
  const end = work().then(() => {
    ended = true
  })
  const start = Date.now()
  while (!ended && Date.now() - start < DEADLINE_MS) await Promise.race([end, sleep(5)])
  ok(ended, `${what} ends`)
}
