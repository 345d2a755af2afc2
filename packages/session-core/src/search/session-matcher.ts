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

/**
 * Decides which of the listed sessions of a storage fit.
 * @param index of the storage, up to date: asked only for models, where the list does not know which answered
 * @param source the name by which the index has the storage; the agent of sessions whose headers name none
 * @returns throws IndexUnavailableError where only an index could tell
 */
export function sessionMatcher(
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, ...filters }: ListLimits,
  index: () => Promise<Pick<SessionIndex, "usage">>,
  { name, agent }: { readonly name?: string; readonly agent?: string } = {},
): (info: SessionInfo) => Promise<boolean> {
  let withModel: Promise<ReadonlySet<string>> | undefined
  /** The keys of those that used a model that fits. */
  const keysWithModel = async (): Promise<ReadonlySet<string>> => {
    const rows = await (await index()).usage({
      ...filters,
      by: "session",
      ...(name !== undefined && { sources: [name] }),
    })
    return new Set(rows.map(({ key }) => key))
  }
  return async (info) => {
    const { modified, messageCount, usages = [], model, error, path } = info
    if (modified < since || modified >= until) return false
    if (!fitsFilters(filters, { ...(agent !== undefined && { agent }), ...info })) return false
    if (fitsModel(filters, undefined)) return true
    if (messageCount !== undefined || error)
      return [model, ...usages.map((usage) => usage.model)].some((one) => fitsModel(filters, one))
    withModel ??= keysWithModel()
    return (await withModel).has(path)
  }
}
