import { isAbsolute, join, relative, resolve, sep } from "node:path"
import { parseQuery, type SearchQuery } from "@treelog/session-core/search"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "../sessions/command-sessions.js"
import { filterOf } from "../sessions/of-agent.js"
import { idOfSession } from "../sessions/open-to-read-or-write.js"
import { cwdIn } from "../sessions/scope.js"
import { type TimeOptions, timesOf } from "../sessions/time-options.js"

/** What limits a search, beside its text. */
export interface SearchFilters extends TimeOptions {
  readonly role?: readonly string[]
  readonly agent?: string
  readonly model?: string
  readonly tool?: string
  readonly file?: string
  /** A reference to a session. */
  readonly session?: string
}

/** Whether anything is searched for, or everything could be found. */
export function isAnythingAsked(
  text: string,
  { role, agent, model, tool, file, session, since, until }: SearchFilters,
): boolean {
  return (
    text.trim() !== "" || [role, agent, model, tool, file, session, since, until].some((value) => value !== undefined)
  )
}

/** Why a text of signs alone finds nothing. */
export function nothingToSearch(text: string): string {
  return `${JSON.stringify(text)} has nothing to search for: write a word, a symbol such as an emoji, or three signs in a row.`
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
  const { role = [], agent, model, tool, file, session } = filters
  const { roles: named = [], file: typedPath, ...typed } = parseQuery(text, now)
  const roles = [...named, ...role.flatMap((name) => parseQuery(`role:"${name}"`, now).roles ?? [])]
  const path = file ?? typedPath
  const isPlaced = [session, typed.session, typed.cwd, typed.project].some((value) => value !== undefined)
  return {
    ...filterOf(context, sessions, isPlaced ? {} : sessions.scope, agent),
    ...typed,
    ...(roles.length > 0 && { roles }),
    ...(model !== undefined && { model }),
    ...(tool !== undefined && { tool }),
    ...(path !== undefined && { file: [path].flat().flatMap((end) => endsOfPath(context, end)) }),
    ...(session !== undefined && { session: await idOfSession(sessions, session) }),
    ...timesOf(filters, now),
  }
}

/** What stored paths end with, one or the other: they are absolute, or relative to the folder of the session. */
export function endsOfPath(context: Pick<CommandContext, "io" | "options">, path: string): string[] {
  if (!isAbsolute(path) && !/^\.\.?([/\\]|$)/.test(path)) return [path]
  const cwd = cwdIn(context)
  const whole = resolve(context.io.cwd, path)
  const fromCwd = relative(cwd, whole)
  if (whole.startsWith(join(cwd, sep))) return [fromCwd]
  return fromCwd === "" ? [whole] : [whole, fromCwd]
}
