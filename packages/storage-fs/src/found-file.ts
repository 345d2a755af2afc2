import type { CachedSummary, FoundSession, StorageStat } from "@treelog/session-core/adapter"
import { SeenStat } from "./seen-stat.js"
import { idOfFileName } from "./session-name.js"
import type { SummaryRow } from "./summary-row.js"

/** A session of which the cache knows everything. What is seldom needed is computed on demand. */
export class FoundFile implements FoundSession, CachedSummary {
  readonly key: string
  readonly isCurrent = true
  readonly #name: string
  readonly #row: SummaryRow
  readonly #now: () => number

  constructor(key: string, name: string, row: SummaryRow, now: () => number) {
    this.key = key
    this.#name = name
    this.#row = row
    this.#now = now
  }

  get id(): string | undefined {
    return idOfFileName(this.#name)
  }

  get stat(): StorageStat {
    return new SeenStat(this.#row, this.#now())
  }

  get cached(): CachedSummary {
    return this
  }

  get state(): SummaryRow["state"] {
    return this.#row.state
  }
}
