import { isWritable } from "@treelog/session-core/adapter"
import { type SumKind, type SumOptions, sumUsage, type UsageQuery, type UsageSums } from "@treelog/session-core/search"
import { CountedEntries } from "./counted-entries.js"
import { indexFilter, type SessionFilter } from "./session-query.js"
import { type OnSourceError, ofEach, type Source } from "./source.js"

/** Whose usage is summed. */
export type LibraryUsage = Omit<UsageQuery, "by" | "per" | "except"> & SessionFilter

/**
 * Sums what the sessions of several sources used. A response that several have counts once: in the source of the agent that made it, and then in
 * the first.
 */
export function usageIn<From extends Source>(
  sources: readonly From[],
  query: LibraryUsage,
  kinds: readonly SumKind[],
  options: SumOptions,
  onError: OnSourceError<From>,
): Promise<UsageSums<From>> {
  return sumUsage(
    async ({ except: _, ...asked }, questions) => {
      const counted = new CountedEntries()
      return ofEach(copiesLast(sources), onError, async (source) => {
        const index = await source.index()
        const filter = indexFilter({ ...query, ...asked }, source)
        const except = await counted.copiesIn(index, filter, source)
        const rows = []
        for (const by of questions) rows.push(await index.usage({ ...filter, except, by }))
        return { source, rows }
      })
    },
    query,
    kinds,
    options,
  )
}

/** In the order in which they count what several have: what an agent made itself before copies in treelog's own store. */
function copiesLast<From extends Source>(sources: readonly From[]): From[] {
  const rank = ({ storage, madeBy }: Source): number => (!isWritable(storage) ? 0 : madeBy === "treelog" ? 2 : 1)
  return [...sources].sort((a, b) => rank(a) - rank(b))
}
