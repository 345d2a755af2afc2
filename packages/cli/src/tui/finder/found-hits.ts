import { isTreelogError } from "@treelog/session-core"
import { hasOnlySigns, type IndexedSession } from "@treelog/session-core/search"
import type { LibrarySearch, ProjectFolders } from "@treelog/stores"
import type { CommandContext } from "../../io/command-context.js"
import { sayer } from "../../search/hit-printer.js"
import { nothingToSearch, type SearchFilters, searchQuery } from "../../search/search-query.js"
import type { CommandLibrary, CommandSource } from "../../sessions/open-library.js"
import { cwdIn } from "../../store/scope.js"
import type { FindAnswer, FindRequest, Found } from "./found.js"
import type { Source } from "./source.js"

/** UTF-16 units: what the preview shows. */
const SNIPPET = 1200

/** What is asked for, and what is known of sessions. */
interface HitSearch {
  readonly request: FindRequest
  readonly filters: SearchFilters
  readonly titleOf: (session: IndexedSession, source: CommandSource) => Promise<string>
  readonly projectOf: ProjectFolders["titleOf"]
}

/** Finds what was said in sessions, the newest first: names before all others. */
export async function findHits(
  context: CommandContext,
  library: CommandLibrary,
  { request, filters, titleOf, projectOf }: HitSearch,
): Promise<FindAnswer<Source>> {
  const query = await queryOf(context, library, request, filters)
  if ("notice" in query) return { request, rows: [], isMore: false, notice: query.notice }
  const { sessions, isMore } = await library.search(query)
  const rows: Found<Source>[] = []
  for (const { source, session, hits } of sessions) {
    const title = await titleOf(session, source)
    for (const hit of hits)
      rows.push({
        source: { kind: "hit", store: source, session, hit },
        key: JSON.stringify([session.key, hit.entryId, hit.role]),
        time: hit.time,
        title,
        isNamed: session.name !== "",
        snippet: hit.snippet,
        agent: source.program ?? "",
        cwd: session.cwd,
        project: projectOf(session.cwd, () => session.repository),
        facts: [sayer(hit), hit.model ?? "", session.id],
        id: session.id,
      })
  }
  const isName = ({ source }: Found<Source>): boolean => source.kind === "hit" && source.hit.role === "name"
  rows.sort((a, b) => Number(isName(b)) - Number(isName(a)) || b.time - a.time)
  return { request, rows, isMore }
}

/** A filter that is still being typed is not an error, and neither are signs that a word may follow. */
async function queryOf(
  context: CommandContext,
  library: CommandLibrary,
  { query, scope, limit }: FindRequest,
  filters: SearchFilters,
): Promise<LibrarySearch | { readonly notice: string }> {
  try {
    const folder = scope === "all" ? undefined : cwdIn(context)
    const asked = await searchQuery(context, library, folder, query, filters)
    return hasOnlySigns(asked.terms) ? { notice: nothingToSearch(query) } : { ...asked, limit, snippet: SNIPPET }
  } catch (error) {
    if (!isTreelogError(error, "InvalidArgumentError")) throw error
    return { notice: error.message }
  }
}
