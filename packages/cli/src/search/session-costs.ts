import { type Cost, costOf, type IndexedSession } from "@treelog/session-core/search"
import { ListedPrices } from "../stats/prices.js"
import type { IndexedStore } from "./searched-store.js"
import { listedInfo } from "./session-titles.js"

/** What the sessions of hits cost. */
export class SessionCosts {
  readonly #prices: ListedPrices

  constructor(io: ConstructorParameters<typeof ListedPrices>[0]) {
    this.#prices = new ListedPrices(io)
  }

  /** As lists show it, or by the index where it was not listed yet; undefined where no usage was reported. */
  async of({ sessions, index }: IndexedStore, { key, id }: IndexedSession): Promise<Cost | undefined> {
    const listed = await listedInfo(sessions.storage, key)
    const usages = listed?.usages ?? (await index.usage({ session: id })).flatMap((row) => row.usages)
    if (usages.length === 0) return undefined
    await this.#prices.prepare([{ usages }])
    return costOf(usages, this.#prices.price)
  }
}
