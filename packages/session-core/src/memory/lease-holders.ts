import { TreelogError } from "../errors.js"
import type { Clock } from "../ports/clock.js"
import type { Release } from "./stored-object.js"

export type Sleep = (ms: number) => Promise<void>

interface Holder {
  readonly since: number
  readonly released: Promise<void>
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

  /**
   * Takes the key when it is free, or becomes free within `waitMs`.
   * @throws SessionBusyError when another still holds it
   */
  async take(key: string, waitMs: number): Promise<Release> {
    let timeIsUp = waitMs <= 0
    let timer: Promise<void> | undefined
    let holder = this.#holders.get(key)
    for (; holder && !timeIsUp; holder = this.#holders.get(key)) {
      timer ??= this.#sleep(waitMs).then(() => {
        timeIsUp = true
      })
      await Promise.race([holder.released, timer])
    }
    if (holder) throw sessionBusy(key, holder.since)
    let free = () => {}
    const released = new Promise<void>((resolve) => (free = resolve))
    this.#holders.set(key, { since: this.#clock.now(), released })
    return async () => {
      this.#holders.delete(key)
      free()
    }
  }
}

/** All holders are in this process, whose id the core cannot know: `pid` is 0. */
function sessionBusy(key: string, held: number): TreelogError<"SessionBusyError"> {
  const since = new Date(held).toISOString()
  const data = { key, pid: 0, host: "memory", since }
  return new TreelogError("SessionBusyError", `The session ${key} is held for writing since ${since}`, data)
}
