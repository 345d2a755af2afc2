import { parseQuery, type SearchQuery } from "@treelog/session-core/session-index"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/compose-sessions.js"
import { idOfSession } from "../sessions/open-session.js"
import { type TimeOptions, timesOf } from "../sessions/time-options.js"
import { filterOfScope } from "./scope-filter.js"

/** What limits a search, beside its text. */
export interface SearchFilters extends TimeOptions {
  readonly role?: readonly string[]
  readonly model?: string
  readonly tool?: string
  readonly file?: string
  /** A reference to a session. */
  readonly session?: string
}

/** Whether anything is searched for, or everything could be found. */
export function isAnythingAsked(
  text: string,
  { role, model, tool, file, session, since, until }: SearchFilters,
): boolean {
  return text.trim() !== "" || [role, model, tool, file, session, since, until].some((value) => value !== undefined)
}

/**
 * The query of a text, which may have filters, and of options, which win. Without a session, a folder or a project in it, it is about
 * the sessions of the scope.
 * @throws InvalidArgumentError for a role or time that is none; SessionNotFoundError, AmbiguousSessionError
 */
export async function searchQuery(
  context: CommandContext,
  sessions: Sessions,
  text: string,
  filters: SearchFilters,
): Promise<SearchQuery> {
  const now = context.io.now()
  const { role = [], model, tool, file, session } = filters
  const { roles: named = [], ...typed } = parseQuery(text, now)
  const roles = [...named, ...role.flatMap((name) => parseQuery(`role:"${name}"`, now).roles ?? [])]
  const isPlaced = [session, typed.session, typed.cwd, typed.project].some((value) => value !== undefined)
  return {
    ...(isPlaced ? {} : filterOfScope(sessions.scope)),
    ...typed,
    ...(roles.length > 0 && { roles }),
    ...(model !== undefined && { model }),
    ...(tool !== undefined && { tool }),
    ...(file !== undefined && { file }),
    ...(session !== undefined && { session: await idOfSession(sessions, session) }),
    ...timesOf(filters, now),
  }
}
