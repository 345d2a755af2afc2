import { createHash, createHmac } from "node:crypto"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { S3Timer } from "@treelog/blob-store-s3"
import { vi } from "vitest"

/** Time that passes only from one event to the next, so that a schedule does not depend on the machine. */
export class VirtualTime {
  /** Milliseconds. */
  now = 0
  readonly #events: { at: number; happen: () => void }[] = []

  readonly timer: S3Timer = {
    start: () => {
      const begin = this.now
      return () => this.now - begin
    },
    sleep: (ms) => this.sleep(ms),
  }

  sleep(ms: number): Promise<void> {
    return new Promise((happen) => this.#events.push({ at: this.now + ms, happen }))
  }

  /** Lets events happen, in their order, until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const end = () => {
      isDone = true
    }
    work.then(end, end)
    for (let idle = 0; !isDone; ) {
      // All that follows from the last event needs no more than microtasks, and so has come to its next event.
      await nextTurn()
      const next = this.#events.reduce<number>(
        (first, { at }, index) => (at < (this.#events[first]?.at ?? at) ? index : first),
        0,
      )
      const [event] = this.#events.splice(next, 1)
      if (event === undefined && ++idle > 100) throw new Error("Nothing happens any more, and the work is not done")
      if (event === undefined) continue
      idle = 0
      this.now = event.at
      event.happen()
    }
    return work
  }
}

/** WebCrypto that needs no other thread, whose answers would come at a time of their own. */
export function stubCrypto(): void {
  let ids = 0
  vi.stubGlobal("crypto", {
    randomUUID: () => `id-${++ids}`,
    subtle: {
      digest: async (_: string, bytes: Uint8Array) => createHash("sha256").update(bytes).digest(),
      importKey: async (_: string, key: Uint8Array) => key,
      sign: async (_: string, key: Uint8Array, bytes: Uint8Array) => createHmac("sha256", key).update(bytes).digest(),
    },
  })
}
