import { TreelogError } from "../errors.js"
import type { Clock } from "../ports/clock.js"
import type { Hold } from "./stored-object.js"

export type Sleep = (ms: number) => Promise<void>

interface Holder {
  readonly since: number
  /** When it lapses. Milliseconds since 1970. */
  until: number
  /** Resolves when it was released, or another took the key after it had lapsed. */
  readonly ended: Promise<void>
  readonly end: () => void
}

/** The holders of keys. A key has at most one holder; others wait until it releases the key, or its hold lapses. */
export class LeaseHolders {
  readonly #clock: Clock
  readonly #sleep: Sleep
  readonly #leaseMs: number
  readonly #holders = new Map<string, Holder>()

  /** @param leaseMs a hold lapses so long after its last use. Milliseconds */
  constructor(clock: Clock, sleep: Sleep, leaseMs: number) {
    this.#clock = clock
    this.#sleep = sleep
    this.#leaseMs = leaseMs
  }

  /**
   * Takes the key when it is free, or becomes free within `waitMs`.
   * @throws SessionBusyError when another still holds it
   */
  async take(key: string, waitMs: number): Promise<Hold> {
    let timeIsUp = waitMs <= 0
    let timer: Promise<void> | undefined
    let holder = this.#holderOf(key)
    for (; holder && !timeIsUp; holder = this.#holderOf(key)) {
      timer ??= this.#sleep(waitMs).then(() => {
        timeIsUp = true
      })
      await Promise.race([holder.ended, timer, ...this.#lapseOf(holder)])
    }
    if (holder) throw sessionBusy(key, holder.since)
    return this.#hold(key)
  }

  /** Takes the key if it is free. @throws SessionBusyError */
  takeSync(key: string): Hold {
    const holder = this.#holderOf(key)
    if (holder) throw sessionBusy(key, holder.since)
    return this.#hold(key)
  }

  /** The holder of a key; one that has lapsed has lost it for good. */
  #holderOf(key: string): Holder | undefined {
    const holder = this.#holders.get(key)
    if (!holder || this.#clock.now() < holder.until) return holder
    this.#end(key, holder)
    return undefined
  }

  #lapseOf({ until }: Holder): Promise<void>[] {
    return until === Infinity ? [] : [this.#sleep(until - this.#clock.now())]
  }

  #hold(key: string): Hold {
    const now = this.#clock.now()
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const holder: Holder = { since: now, until: now + this.#leaseMs, ended, end }
    this.#holders.set(key, holder)
    return {
      renew: () => {
        if (this.#holderOf(key) !== holder) return false
        holder.until = this.#clock.now() + this.#leaseMs
        return true
      },
      release: async () => this.#end(key, holder),
      releaseSync: () => this.#end(key, holder),
    }
  }

  #end(key: string, holder: Holder): void {
    if (this.#holders.get(key) === holder) this.#holders.delete(key)
    holder.end()
  }
}

/** All holders are in this process, whose id the core cannot know: `pid` is 0. */
function sessionBusy(key: string, held: number): TreelogError<"SessionBusyError"> {
  const since = new Date(held).toISOString()
  const data = { key, pid: 0, host: "memory", since }
  return new TreelogError("SessionBusyError", `The session ${key} is held for writing since ${since}`, data)
}
