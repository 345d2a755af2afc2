import type { StorageStat } from "@treelog/session-core"
import type { CachedSummary, FoundSession } from "@treelog/session-core/adapter"
import { type FileMarks, storedStat } from "@treelog-internal/fs"
import { idOfFileName } from "./session-name.js"
import type { SummaryRow } from "./summary-row.js"

/** Called with a stat that a listing returns: the summary that is put later names it. */
export type Watch = (stat: StorageStat, marks: FileMarks) => void

/** A session of which the cache knows everything. What is seldom needed is computed on demand. */
export class FoundFile implements FoundSession, CachedSummary {
  readonly key: string
  readonly isCurrent = true
  readonly #name: string
  readonly #row: SummaryRow
  readonly #watch: Watch

  constructor(key: string, name: string, row: SummaryRow, watch: Watch) {
    this.key = key
    this.#name = name
    this.#row = row
    this.#watch = watch
  }

  get id(): string | undefined {
    return idOfFileName(this.#name)
  }

  get stat(): StorageStat {
    const stat = storedStat(this.#row)
    this.#watch(stat, this.#row)
    return stat
  }

  get cached(): CachedSummary {
    return this
  }

  get state(): SummaryRow["state"] {
    return this.#row.state
  }
}
