import type { Database } from "./database.js"
import { RENEW_LEASES } from "./statements.js"

/** A lease that this process holds. */
export interface Holding {
  readonly key: string
  /** A UUID that no other lease has. */
  readonly owner: string
  readonly fence: number
  /** Until when it cannot have lapsed, by the clock of this process. */
  freshUntil: number
}

/** Renews the leases of a storage, all in one statement, three times in the time that a lease lasts. */
export class Heartbeat {
  readonly #database: Database
  readonly #leaseMs: number
  readonly #now: () => number
  readonly #onError: (error: unknown) => void
  readonly #holdings = new Map<string, Holding>()
  #timer: NodeJS.Timeout | undefined

  /** @param onError gets the errors of renewals */
  constructor(database: Database, leaseMs: number, now: () => number, onError: (error: unknown) => void) {
    this.#onError = onError
    this.#database = database
    this.#leaseMs = leaseMs
    this.#now = now
  }

  /** When a lease that is taken or renewed now lapses, at the earliest. */
  deadline(): number {
    return this.#now() + this.#leaseMs
  }

  isFresh({ freshUntil }: Holding): boolean {
    return this.#now() < freshUntil
  }

  add(holding: Holding): void {
    this.#holdings.set(holding.owner, holding)
    this.#timer ??= setInterval(() => void this.#renew(), this.#leaseMs / 3).unref()
  }

  delete({ owner }: Holding): void {
    this.#holdings.delete(owner)
    if (this.#holdings.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #renew(): Promise<void> {
    const held = [...this.#holdings.values()].map(({ key, owner }) => ({ key, owner }))
    const freshUntil = this.deadline()
    const values = [JSON.stringify(held), this.#leaseMs]
    try {
      const renewed = await this.#database.query({ key: "leases", operation: "renew" }, RENEW_LEASES, values)
      for (const { owner } of renewed) {
        const holding = this.#holdings.get(String(owner))
        if (holding) holding.freshUntil = freshUntil
      }
    } catch (error) {
      // It is tried again at the next beat. Until then nothing is lost, and after that the methods of the lease report it.
      this.#onError(error)
    }
  }
}
