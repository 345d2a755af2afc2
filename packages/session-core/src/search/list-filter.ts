import { type FilterValues, fitsFilters, fitsModel } from "../entry/filters.js"
import type { SessionIndex } from "../ports/session-index.js"
import type { SessionInfo } from "../session/listing/session-info.js"

/** What limits a list. */
export interface ListLimits extends FilterValues {
  /** Sessions whose last message is of this time or later. Milliseconds since 1970. */
  readonly since?: number | undefined
  /** Sessions whose last message is older. Milliseconds since 1970. */
  readonly until?: number | undefined
}

/** Decides which of the listed sessions of a storage fit. */
export class ListFilter {
  readonly #limits: ListLimits
  readonly #index: () => Promise<Pick<SessionIndex, "usage">>
  readonly #source: { readonly name?: string; readonly agent?: string }
  #withModel: Promise<ReadonlySet<string>> | undefined

  /**
   * @param index of the storage, up to date: asked only for models, where the list does not know which answered
   * @param source the name by which the index has the storage; the agent of sessions whose headers name none
   */
  constructor(
    limits: ListLimits,
    index: () => Promise<Pick<SessionIndex, "usage">>,
    source: { readonly name?: string; readonly agent?: string } = {},
  ) {
    this.#limits = limits
    this.#index = index
    this.#source = source
  }

  /** @throws IndexUnavailableError where only an index could tell */
  async fits(info: SessionInfo): Promise<boolean> {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, ...filters } = this.#limits
    const { modified, messageCount, usages = [], model, error, path } = info
    const { agent } = this.#source
    if (modified < since || modified >= until) return false
    if (!fitsFilters(filters, { ...(agent !== undefined && { agent }), ...info })) return false
    if (fitsModel(filters, undefined)) return true
    const isUnknown = messageCount === undefined && !error
    if (isUnknown) return (await this.#sessionsWithModel()).has(path)
    return [model, ...usages.map((usage) => usage.model)].some((one) => fitsModel(filters, one))
  }

  /** The keys of those that used a model that fits. */
  #sessionsWithModel(): Promise<ReadonlySet<string>> {
    const { since: _, until: __, ...filters } = this.#limits
    const { name } = this.#source
    this.#withModel ??= this.#index().then(async (index) => {
      const rows = await index.usage({ ...filters, by: "session", ...(name !== undefined && { sources: [name] }) })
      return new Set(rows.map(({ key }) => key))
    })
    return this.#withModel
  }
}
