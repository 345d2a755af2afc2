import type { McpServer } from "@modelcontextprotocol/server"
import { TreelogError } from "@treelog/session-core"
import { hasOnlySigns, parseQuery, QUERY_VALUES, type SearchHit, type SearchQuery } from "@treelog/session-core/search"
import { plural } from "@treelog-internal/text"
import { z } from "zod"
import { filterInputs, filtersIn } from "../filter-inputs.js"
import type { PastSessions } from "../past-sessions.js"
import { quoted } from "../quote.js"
import { entryUri, PLAIN_ID, type Scope } from "../scope.js"
import { answer, answered, type EntryLink, READ_ONLY, type ToolAnswer, tokensInput } from "../tool-answer.js"
import { unitsOf } from "../within-budget.js"

const MOST = 50
const NONE = { named: undefined, newest: undefined }

/** What a query may have. */
export const QUERY = `Words, all of which must occur in the same text; "a phrase"; -excluded; prefix*. Filters: role:${QUERY_VALUES.role.join("|")}, since:30d, until:2026-11-01, model:opus, tool:bash, agent:codex, file:src/retry.ts, name:checkout, session:ID.`

export function registerSearchSessions(server: McpServer, scope: Scope): void {
  const inputSchema = z.object({
    query: z.string().describe(QUERY),
    ...filterInputs(),
    limit: z.number().int().min(1).max(MOST).default(15).describe("At most so many hits."),
    sort: z.enum(QUERY_VALUES.sort).default("newest"),
    tokens: tokensInput(),
  })
  const description =
    "Finds what was said and done in past sessions of coding agents: questions, answers, commands, tool results, summaries. Returns snippets with the ids that read_session takes."
  server.registerTool(
    "search_sessions",
    { title: "Search past sessions", description, inputSchema, annotations: READ_ONLY },
    ({ query, limit, sort, tokens, ...given }, { mcpReq }) =>
      answered(scope, async () => {
        const asked = parseQuery(query, scope.now())
        if (hasOnlySigns(asked.terms)) throw nothingToSearch(query)
        const missing = await scope.update(mcpReq.signal)
        // One that the query names is wanted.
        const { session } = asked
        const asking = session === undefined ? await scope.asking(mcpReq._meta, mcpReq.signal) : NONE
        const { sessions, isMore } = await scope.sessions.search({
          ...asked,
          ...filtersIn(given),
          scope: scope.cwd,
          limit,
          sort,
          isWanted: ({ id }) => id !== asking.named && id !== asking.newest,
        })
        if (sessions.length === 0) {
          const emptiness = await scope.emptiness(mcpReq.signal)
          if (emptiness !== "") return answer(emptiness)
        }
        const elsewhere = await scope.elsewhere(mcpReq.signal)
        const note = `${excludedNote(asked)}${missing}${scope.leftOut(asking)}${elsewhere}`
        return found(scope, { sessions, isMore, tokens }, note, mcpReq.signal)
      }),
  )
}

function excludedNote({ terms = [] }: SearchQuery): string {
  const excluded = terms.flatMap(({ text, isExcluded }) => (isExcluded ? JSON.stringify(text) : []))
  return excluded.length === 0 ? "" : `\nTexts with ${excluded.join(" or ")} are left out.`
}

function nothingToSearch(query: string): TreelogError<"InvalidArgumentError"> {
  const message = `${JSON.stringify(query)} has nothing to search for: write a word, a symbol such as an emoji, or three signs in a row.`
  return new TreelogError("InvalidArgumentError", message, { argument: "query", value: query })
}

/** The hits that fit into the answer. */
async function found(
  scope: Scope,
  { sessions, isMore, tokens }: Awaited<ReturnType<PastSessions["search"]>> & { readonly tokens: number },
  note: string,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const count = sessions.reduce((sum, { hits }) => sum + hits.length, 0)
  if (count === 0) return answer(`Nothing was found. Fewer words, or parts of words, find more.${note}`)
  const lines: string[] = []
  const links: EntryLink[] = []
  let left = unitsOf(tokens) - note.length
  let shown = 0
  for (const one of sessions) {
    const { session, hits } = one
    const title = await scope.sessions.titleOf(one, signal)
    const heading = `# ${scope.heading(title, session, await scope.costOf(session.id))}`
    left -= heading.length
    for (const [at, hit] of hits.entries()) {
      const [line, link] = [hitLine(hit, scope), linkOf(session.id, hit)]
      left -= line.length + JSON.stringify(link).length
      // The first is shown in any case.
      if (left < 0 && shown > 0) break
      lines.push(...(at === 0 ? [...(shown === 0 ? [] : [""]), heading] : []), line)
      links.push(...link)
      shown += 1
    }
    if (left < 0) break
  }
  const more =
    shown < count
      ? ` ${shown} of them are shown: narrow the query, or raise tokens.`
      : isMore
        ? " There is more: narrow the query, or raise the limit."
        : ""
  return answer(`${plural(count, "hit")}.${more}\n${quoted(scope, lines.join("\n"))}${note}`, links)
}

function hitLine({ entryId, role, time, tool, part, snippet }: SearchHit, scope: Scope): string {
  const { text, isCutBefore, isCutAfter } = snippet
  const what = [role, tool && scope.label(tool), part && `in ${scope.label(part.name)}`].filter(Boolean).join(" ")
  const when = time === 0 ? "" : `${new Date(time).toISOString().slice(0, 16)} `
  return `- ${when}${what}, entry ${scope.label(entryId)}: ${isCutBefore ? "…" : ""}${text}${isCutAfter ? "…" : ""}`
}

/** A link stands outside of the quote. */
function linkOf(sessionId: string, { entryId, role }: SearchHit): EntryLink[] {
  if (!PLAIN_ID.test(sessionId) || !PLAIN_ID.test(entryId)) return []
  const uri = entryUri(sessionId, entryId)
  return [{ type: "resource_link", uri, name: `${role}, entry ${entryId}`, mimeType: "text/plain" }]
}
