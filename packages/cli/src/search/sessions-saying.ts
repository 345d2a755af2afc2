import { hasOnlySigns, type SearchHit, type SessionHits } from "@treelog/session-core/search"
import type { LibrarySearch, SessionFilter } from "@treelog/stores"

/** By the key of a session, the newest hit in it. */
type SaidIn = ReadonlyMap<string, SearchHit>

/** The sessions in which each term was said, by term, and those in which one message has them all. */
export interface SaidTerms {
  readonly each: ReadonlyMap<string, SaidIn>
  /** Empty for one term. */
  readonly together: SaidIn
}

export const NOTHING_SAID: SaidTerms = { each: new Map(), together: new Map() }

/** UTF-16 units of a snippet: as much as a preview shows. */
const SNIPPET = 600

/** A library, as far as it is searched. */
interface Searched {
  search(query: LibrarySearch): Promise<{ readonly sessions: readonly SessionHits[]; readonly isMore: boolean }>
}

/** The sessions in which terms are said, by what the indexes have. @param limit of sessions for each term, the newest texts first */
export async function sessionsSaying(
  library: Searched,
  filter: SessionFilter,
  terms: readonly string[],
  limit: number,
): Promise<{ readonly said: SaidTerms; readonly isMore: boolean }> {
  let isMore = false
  const saying = async (texts: readonly string[]): Promise<SaidIn> => {
    const asked = texts.map((text) => ({ text, isPrefix: true }))
    const query = { ...filter, terms: asked, distinct: "session" as const, limit, snippet: SNIPPET }
    // The index has no signs alone, and would find everything.
    if (hasOnlySigns(asked)) return new Map()
    const found = await library.search(query)
    isMore ||= found.isMore
    return new Map(found.sessions.flatMap(({ session, hits: [hit] }) => (hit ? [[session.key, hit] as const] : [])))
  }
  const each = new Map<string, SaidIn>()
  for (const term of terms) each.set(term, await saying([term]))
  const together = terms.length > 1 ? await saying(terms) : new Map()
  return { said: { each, together }, isMore }
}
