import { existsSync } from "node:fs"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import { isTreelogError } from "@treelog/session-core"
import type { PromptHistory } from "@treelog/session-core/prompt-history"
import type { CommandContext } from "../../io/command-context.js"
import { type HistoryOptions, historyPath } from "../../prompts/open-history.js"
import { promptScope, type ScopeOptions } from "../../prompts/prompt-scope.js"
import type { StoreSessions } from "../../sessions/every-store.js"
import type { FindAnswer, FindRequest, Found } from "../../tui/finder/found.js"
import type { Source } from "./source.js"

interface StoreHistory {
  readonly store: StoreSessions
  readonly history: PromptHistory
}

/** The histories of prompts that there are, which are closed when the command ends. */
export function openHistories(
  context: CommandContext,
  stores: readonly StoreSessions[],
  options: HistoryOptions,
): StoreHistory[] {
  const known = new Map<string, StoreSessions>()
  for (const store of stores) {
    const path = historyPath(context, store.sessions, options)
    if ((store.sessions.files || options.db !== undefined) && !known.has(path) && existsSync(path))
      known.set(path, store)
  }
  return [...known].map(([path, store]) => {
    const history = new SqlitePromptHistory({ path, access: "read" })
    context.resources.onEnd(() => history.close())
    return { store, history }
  })
}

/** Finds prompts, the newest first. @param narrow what the scope of the project means: by default its folder */
export async function findPrompts(
  histories: readonly StoreHistory[],
  request: FindRequest,
  { scope = "cwd", session }: ScopeOptions,
): Promise<FindAnswer<Source>> {
  const rows: Found<Source>[] = []
  for (const { store, history } of histories) {
    try {
      const meant = await promptScope(store.sessions, request.scope === "all" ? "all" : scope, session)
      for (const prompt of await history.search(request.query, { scope: meant, limit: request.limit }))
        rows.push({
          source: { kind: "prompt", prompt },
          key: `${store.program}:${prompt.id}`,
          time: prompt.createdAt,
          title: prompt.text,
          cwd: prompt.cwd ?? "",
          facts: [prompt.sessionId ?? ""],
          ...(prompt.sessionId !== undefined && { id: prompt.sessionId }),
        })
    } catch (error) {
      if (!isTreelogError(error, "SessionNotFoundError")) throw error
      return { request, rows: [], isMore: false, notice: error.message }
    }
  }
  rows.sort((a, b) => b.time - a.time)
  return { request, rows: rows.slice(0, request.limit), isMore: rows.length >= request.limit }
}
