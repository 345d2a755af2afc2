import { isTreelogError } from "@treelog/session-core"
import { hasOnlySigns, type IndexedSession, type SearchQuery } from "@treelog/session-core/search"
import type { ProjectFolders } from "@treelog/stores"
import { sayer } from "../../render/hit-lines.js"
import { nothingToSearch, type SearchFilters, searchQuery } from "../../search/search-query.js"
import type { IndexedStore } from "../../search/searched-store.js"
import type { FindAnswer, FindRequest, Found } from "../../tui/finder/found.js"
import type { Source } from "./source.js"

/** UTF-16 units: what the preview shows. */
const SNIPPET = 1200

/** Finds what was said in sessions, the newest first: names before all others. @param titleOf the title of a session */
export async function findHits(
  stores: readonly IndexedStore[],
  request: FindRequest,
  filters: SearchFilters,
  titleOf: (session: IndexedSession, store: IndexedStore) => Promise<string>,
  projectOf: ProjectFolders["titleOf"],
): Promise<FindAnswer<Source>> {
  const rows: Found<Source>[] = []
  let isMore = false
  for (const store of stores) {
    const query = await queryOf(store, request, filters)
    if ("notice" in query) return { request, rows: [], isMore: false, notice: query.notice }
    const found = await store.index.search(query)
    isMore ||= found.isMore
    for (const { session, hits } of found.sessions) {
      const title = await titleOf(session, store)
      for (const hit of hits)
        rows.push({
          source: { kind: "hit", store, session, hit },
          key: JSON.stringify([session.key, hit.entryId, hit.role]),
          time: hit.time,
          title,
          isNamed: session.name !== "",
          snippet: hit.snippet,
          agent: store.program ?? "",
          cwd: session.cwd,
          project: projectOf(session.cwd, () => session.repository),
          facts: [sayer(hit), hit.model ?? "", session.id],
          id: session.id,
        })
    }
  }
  const isName = ({ source }: Found<Source>): boolean => source.kind === "hit" && source.hit.role === "name"
  rows.sort((a, b) => Number(isName(b)) - Number(isName(a)) || b.time - a.time)
  return { request, rows: rows.slice(0, request.limit), isMore: isMore || rows.length > request.limit }
}

/** A filter that is still being typed is not an error, and neither are signs that a word may follow. */
async function queryOf(
  { context, sessions }: IndexedStore,
  { query, scope, limit }: FindRequest,
  filters: SearchFilters,
): Promise<SearchQuery | { readonly notice: string }> {
  const { cwd, projectOf } = sessions
  const meant = { ...sessions, scope: scope === "all" ? {} : { cwd, projectOf } }
  try {
    const asked = await searchQuery(context, meant, query, filters)
    return hasOnlySigns(asked.terms) ? { notice: nothingToSearch(query) } : { ...asked, limit, snippet: SNIPPET }
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError")) throw error
    return { notice: error.message }
  }
}
