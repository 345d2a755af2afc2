import { TreelogError } from "../errors.js"
import type { Clock } from "../ports/clock.js"

export type Sleep = (ms: number) => Promise<void>

interface Holder {
  readonly since: number
  readonly released: Promise<void>
  readonly release: () => void
}

/** The holders of keys. A key has at most one holder; others wait for the release. */
export class LeaseHolders {
  readonly #clock: Clock
  readonly #sleep: Sleep
  readonly #holders = new Map<string, Holder>()

  constructor(clock: Clock, sleep: Sleep) {
    this.#clock = clock
    this.#sleep = sleep
  }

  /** Takes the key when it is free, or becomes free within `waitMs`. */
  async take(key: string, waitMs: number): Promise<void> {
    let timeIsUp = waitMs <= 0
    let timer: Promise<void> | undefined
    for (let holder = this.#holders.get(key); holder && !timeIsUp; holder = this.#holders.get(key)) {
      timer ??= this.#sleep(waitMs).then(() => {
        timeIsUp = true
      })
      await Promise.race([holder.released, timer])
    }
    this.takeNow(key)
  }

  /** @throws SessionBusyError when another holds the key */
  takeNow(key: string): void {
    const holder = this.#holders.get(key)
    if (holder !== undefined) throw busy(key, holder)
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    this.#holders.set(key, { since: this.#clock.now(), released, release })
  }

  release(key: string): void {
    this.#holders.get(key)?.release()
    this.#holders.delete(key)
  }
}

/** All holders are in this process, whose id the core cannot know: `pid` is 0. */
function busy(key: string, { since }: Holder): TreelogError<"SessionBusyError"> {
  const data = { key, pid: 0, host: "memory", since: new Date(since).toISOString() }
  return new TreelogError("SessionBusyError", `The session ${key} is held for writing since ${data.since}`, data)
}
