import { TreelogError } from "../errors.js"
import type { Clock } from "../ports/clock.js"
import type { Hold } from "./stored-object.js"

export type Sleep = (ms: number) => Promise<void>

interface Holder {
  /** Milliseconds since 1970. */
  readonly since: number
  /** Resolves when it was released. */
  readonly ended: Promise<void>
}

/** The holders of keys. A key has at most one holder; others wait until it releases the key. */
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
  async take(key: string, waitMs: number): Promise<Hold> {
    let timeIsUp = waitMs <= 0
    let timer: Promise<void> | undefined
    for (let holder = this.#holders.get(key); holder && !timeIsUp; holder = this.#holders.get(key)) {
      timer ??= this.#sleep(waitMs).then(() => {
        timeIsUp = true
      })
      await Promise.race([holder.ended, timer])
    }
    return this.takeSync(key)
  }

  /** Takes the key if it is free. @throws SessionBusyError */
  takeSync(key: string): Hold {
    const former = this.#holders.get(key)
    if (former) throw sessionBusy(key, former.since)
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const holder = { since: this.#clock.now(), ended }
    this.#holders.set(key, holder)
    const releaseSync = () => {
      if (this.#holders.get(key) === holder) this.#holders.delete(key)
      end()
    }
    return { renew: () => true, release: async () => releaseSync(), releaseSync }
  }
}

/** All holders are in this process, whose id the core cannot know: `pid` is 0. */
function sessionBusy(key: string, held: number): TreelogError<"SessionBusyError"> {
  const since = new Date(held).toISOString()
  const data = { key, pid: 0, host: "memory", since }
  return new TreelogError("SessionBusyError", `The session ${key} is held for writing since ${since}`, data)
}
