import type { SessionStorage } from "../../ports/session-storage.js"
import { equal, ok } from "../assert.js"
import { abortController, sleep } from "../platform.js"

/** A platform may take its time to tell of a change, and a little to begin watching. */
const DEADLINE_MS = 10_000
const SETTLED_MS = 150

/** Counts what a watch tells. */
export class Watching {
  readonly #controller = abortController()
  readonly #ended: Promise<PromiseSettledResult<void>[]>
  #told = 0

  constructor(storage: SessionStorage, key: string) {
    const changes = storage.watch?.(key, this.#controller.signal)
    this.#ended = Promise.allSettled([this.#count(changes ?? [])])
  }

  /** Asserts that the watch tells of the change, once it is quiet. */
  async tellsOf(what: string, change: () => Promise<unknown>): Promise<void> {
    await this.settled()
    const before = this.#told
    await change()
    const start = Date.now()
    while (this.#told === before && Date.now() - start < DEADLINE_MS) await sleep(5)
    ok(this.#told > before, `the watch tells of ${what}`)
  }

  /** Aborts, and asserts that the watch then ends without an error. */
  async end(): Promise<void> {
    this.#controller.abort()
    equal(await this.#ended, [{ status: "fulfilled", value: undefined }], "the end of the watch")
  }

  async #count(changes: AsyncIterable<void> | Iterable<void>): Promise<void> {
    for await (const _ of changes) this.#told++
  }

  /** Resolves when the watch has begun, as far as one can know, and told what it had to tell. */
  async settled(): Promise<void> {
    for (let before = -1; before !== this.#told; ) {
      before = this.#told
      await sleep(SETTLED_MS)
    }
  }
}

/** Asserts that something ends, and does not wait for a change that never comes. */
export async function endsAtOnce(what: string, work: () => Promise<void>): Promise<void> {
  let ended = false
  const end = work().then(() => {
    ended = true
  })
  const start = Date.now()
  while (!ended && Date.now() - start < DEADLINE_MS) await Promise.race([end, sleep(5)])
  ok(ended, `${what} ends`)
}
