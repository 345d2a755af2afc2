import type { Clock } from "@treelog/session-core"
import { MemorySessionStorage } from "@treelog/session-core"
import { type Hold, systemClock } from "@treelog/session-core/adapter"

interface Holder {
  /** When it lapses. Milliseconds since 1970. */
  until: number
  readonly hold: Hold
}

/** A storage in memory whose leases lapse when they were not used for `leaseMs` milliseconds, as those of a database do. */
export class LapsingStorage extends MemorySessionStorage {
  override readonly leasesExpire = true
  readonly #clock: Clock
  readonly #sleep: ((ms: number) => Promise<void>) | undefined
  readonly #leaseMs: number
  readonly #holders = new Map<string, Holder>()

  constructor(options: { clock?: Clock; sleep?: (ms: number) => Promise<void>; leaseMs: number }) {
    super(options)
    this.#clock = options.clock ?? systemClock
    this.#sleep = options.sleep
    this.#leaseMs = options.leaseMs
  }

  protected override async take(key: string, waitMs: number): Promise<Hold> {
    this.#dropLapsed(key)
    const holder = this.#holders.get(key)
    if (holder && this.#sleep) void this.#dropOnceLapsed(key, holder, this.#sleep)
    return this.#lapsing(key, await super.take(key, waitMs))
  }

  protected override takeSync(key: string): Hold {
    this.#dropLapsed(key)
    return this.#lapsing(key, super.takeSync(key))
  }

  /** A timer may end a moment early, and the holder may have used its lease meanwhile. */
  async #dropOnceLapsed(key: string, holder: Holder, sleep: (ms: number) => Promise<void>): Promise<void> {
    while (this.#holders.get(key) === holder) {
      await sleep(Math.max(1, holder.until - this.#clock.now()))
      this.#dropLapsed(key)
    }
  }

  #dropLapsed(key: string): void {
    const holder = this.#holders.get(key)
    if (!holder || this.#clock.now() < holder.until) return
    this.#holders.delete(key)
    holder.hold.releaseSync?.()
  }

  #lapsing(key: string, hold: Hold): Hold {
    const holder = { until: this.#clock.now() + this.#leaseMs, hold }
    this.#holders.set(key, holder)
    const release = () => {
      if (this.#holders.get(key) === holder) this.#holders.delete(key)
      hold.releaseSync?.()
    }
    return {
      renew: () => {
        this.#dropLapsed(key)
        if (this.#holders.get(key) !== holder) return false
        holder.until = this.#clock.now() + this.#leaseMs
        return true
      },
      release: async () => release(),
      releaseSync: release,
    }
  }
}
