import type { McpServer } from "@modelcontextprotocol/server"
import { TreelogError } from "@treelog/session-core"
import { hasOnlySigns, parseQuery, QUERY_VALUES, type SearchHit, type SearchQuery } from "@treelog/session-core/search"
import { plural } from "@treelog-internal/text"
import { z } from "zod"
import { filterInputs, filtersIn } from "../filter-inputs.js"
import type { PastSessions } from "../past-sessions.js"
import { quoted } from "../quote.js"
import { entryUri, type Scope } from "../scope.js"
import { answer, answered, type EntryLink, READ_ONLY, type ToolAnswer } from "../tool-answer.js"

const MOST = 50

/** What a query may have. */
export const QUERY = `Words, all of which must occur in the same text; "a phrase"; -excluded; prefix*. Filters: role:${QUERY_VALUES.role.join("|")}, since:30d, until:2026-11-01, model:opus, tool:bash, agent:codex, file:src/retry.ts, name:checkout, session:ID.`

export function registerSearchSessions(server: McpServer, scope: Scope): void {
  const inputSchema = z.object({
    query: z.string().describe(QUERY),
    ...filterInputs(),
    limit: z.number().int().min(1).max(MOST).default(15).describe("At most so many hits."),
    sort: z.enum(QUERY_VALUES.sort).default("newest"),
  })
  const description =
    "Finds what was said and done in past sessions of coding agents: questions, answers, commands, tool results, summaries. Returns snippets with the ids that read_session takes."
  server.registerTool(
    "search_sessions",
    { title: "Search past sessions", description, inputSchema, annotations: READ_ONLY },
    ({ query, limit, sort, ...given }, { mcpReq }) =>
      answered(scope, async () => {
        const asked = parseQuery(query, scope.now())
        if (hasOnlySigns(asked.terms)) throw nothingToSearch(query)
        const missing = await scope.update(mcpReq.signal)
        const { sessions, isMore } = await scope.sessions.search({
          ...asked,
          ...filtersIn(given),
          scope: scope.cwd,
          limit,
          sort,
        })
        if (sessions.length === 0) {
          const emptiness = await scope.emptiness(mcpReq.signal)
          if (emptiness !== "") return answer(emptiness)
        }
        const note = `${excludedNote(asked)}${missing}${await scope.elsewhere(mcpReq.signal)}`
        return found(scope, { sessions, isMore }, note, mcpReq.signal)
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

async function found(
  scope: Scope,
  { sessions, isMore }: Awaited<ReturnType<PastSessions["search"]>>,
  note: string,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const count = sessions.reduce((sum, { hits }) => sum + hits.length, 0)
  if (count === 0) return answer(`Nothing was found. Fewer words, or parts of words, find more.${note}`)
  const lines: string[] = []
  for (const one of sessions) {
    const { session, hits } = one
    const title = await scope.sessions.titleOf(one, signal)
    lines.push(
      `# ${scope.heading(title, session, await scope.costOf(session.id))}`,
      ...hits.map((hit) => hitLine(hit, scope)),
      "",
    )
  }
  const links = sessions.flatMap(({ session, hits }) => hits.flatMap((hit) => linkOf(session.id, hit)))
  const more = isMore ? " There is more: narrow the query, or raise the limit." : ""
  return answer(`${plural(count, "hit")}.${more}\n${quoted(scope, lines.join("\n").trimEnd())}${note}`, links)
}

function hitLine({ entryId, role, time, tool, part, snippet }: SearchHit, scope: Scope): string {
  const { text, isCutBefore, isCutAfter } = snippet
  const what = [role, tool && scope.label(tool), part && `in ${scope.label(part.name)}`].filter(Boolean).join(" ")
  const when = time === 0 ? "" : `${new Date(time).toISOString().slice(0, 16)} `
  return `- ${when}${what}, entry ${scope.label(entryId)}: ${isCutBefore ? "…" : ""}${text}${isCutAfter ? "…" : ""}`
}

/** Ids as programs write them. Others stand in the quote alone, since a link stands outside of it. */
const PLAIN_ID = /^[\w.:-]{1,100}$/

function linkOf(sessionId: string, { entryId, role }: SearchHit): EntryLink[] {
  if (!PLAIN_ID.test(sessionId) || !PLAIN_ID.test(entryId)) return []
  return [{ uri: entryUri(sessionId, entryId), name: `${role}, entry ${entryId}` }]
}
