import { type SessionIndex, type UsageQuery, type UsageRow, UsageRows } from "@treelog/session-core/search"
import { CountedEntries } from "./counted-entries.js"
import { indexFilter, type SessionFilter } from "./session-query.js"
import { type OnSourceError, ofEach, type Source } from "./source.js"

/** Which sums are requested: each of the same usage. */
export type LibraryUsage = Omit<UsageQuery, "by" | "except"> & SessionFilter

/** The sums of one source, of each kind that was asked for. */
export interface SourceUsage<From extends Source = Source> {
  readonly source: From
  readonly sums: readonly { readonly by: NonNullable<UsageQuery["by"]>; readonly rows: readonly UsageRow[] }[]
}

/**
 * What the sessions of several sources used. A response that several have counts once: in the source of the agent that made it, and then in the
 * first.
 */
export async function usageIn<From extends Source>(
  sources: readonly From[],
  query: LibraryUsage,
  kinds: readonly NonNullable<UsageQuery["by"]>[],
  onError: OnSourceError,
): Promise<SourceUsage<From>[]> {
  const counted = new CountedEntries()
  return ofEach(copiesLast(sources), onError, async (source): Promise<SourceUsage<From>> => {
    const index = await source.index()
    const filter = indexFilter(query, source)
    const except = await counted.copiesIn(index, filter, source)
    const sums: { by: NonNullable<UsageQuery["by"]>; rows: UsageRow[] }[] = []
    for (const by of kinds) sums.push({ by, rows: await index.usage({ ...filter, except, by }) })
    return { source, sums }
  })
}

/** Sums what the sessions of all sources used together. */
export async function sumsOf(
  sources: readonly Source[],
  query: LibraryUsage & Pick<UsageQuery, "by">,
  onError: OnSourceError,
): Promise<UsageRow[]> {
  const rows = new UsageRows(query)
  for (const { sums } of await usageIn(sources, query, [query.by ?? "total"], onError))
    for (const { rows: own } of sums) for (const { usages, ...row } of own) rows.addTo(row, usages)
  return rows.sorted()
}

/** A source, and its index. */
export interface IndexedSource {
  readonly source: Source
  readonly index: SessionIndex
}

/** The index of a source, whose sums leave out what others have counted. */
export function indexAfter({ source, index }: IndexedSource, before: readonly IndexedSource[]): SessionIndex {
  return {
    update: (options) => index.update(options),
    search: (query) => index.search(query),
    files: (query) => index.files(query),
    usageQuarters: (filter) => index.usageQuarters(filter),
    usageTimes: (filter, quarters) => index.usageTimes(filter, quarters),
    usageEntries: (filter, times) => index.usageEntries(filter, times),
    verify: (options) => index.verify(options),
    close: () => index.close(),
    usage: async (query) => {
      const except = await new CountedEntries(before, query).copiesIn(index, query, source)
      return index.usage({ ...query, except: [...(query.except ?? []), ...except] })
    },
  }
}

/** In the order in which they count what several have: what an agent made itself before copies in treelog's own store. */
export function copiesLast<From extends Source>(sources: readonly From[]): From[] {
  const rank = ({ storage, madeBy }: Source): number => (!storage.supports.writes ? 0 : madeBy === "treelog" ? 2 : 1)
  return [...sources].sort((a, b) => rank(a) - rank(b))
}
