import { isAbsolute, relative } from "node:path"
import { isWholePath, pathBelow } from "@treelog/session-core/adapter"
import { FILTER_NAMES, type FilterValues, filterValues, parseQuery } from "@treelog/session-core/search"
import type { LibrarySearch } from "@treelog/stores"
import { absoluteFolder } from "@treelog-internal/fs"
import type { CommandContext } from "../io/command-context.js"
import { findSession, idOfSession } from "../sessions/find-session.js"
import type { CommandLibrary } from "../sessions/open-library.js"
import { type TimeOptions, timesOf } from "../sessions/time-options.js"
import { cwdIn, foldersOf } from "../store/scope.js"

/** What limits a search, beside its text. */
export interface SearchFilters extends TimeOptions, FilterValues {
  readonly role?: readonly string[]
  readonly tool?: string
  readonly file?: string
  readonly session?: string
}

/** Whether anything is searched for, or everything could be found. */
export function isAnythingAsked(
  text: string,
  { role, tool, file, session, since, until, ...filters }: SearchFilters,
): boolean {
  const given = [role, tool, file, session, since, until, ...FILTER_NAMES.map((name) => filters[name])]
  return text.trim() !== "" || given.some((value) => value !== undefined)
}

export function nothingToSearch(text: string): string {
  return `${JSON.stringify(text)} has nothing to search for: write a word, a symbol such as an emoji, or three signs in a row.`
}

/**
 * The query of a text, which may have filters, and of options, which win. Without a session, a folder or a project in it, it is about
 * the sessions of the scope.
 * @param scope a folder; undefined for everywhere
 * @throws InvalidArgumentError for a role or time that is none; SessionNotFoundError, AmbiguousSessionError
 */
export async function searchQuery(
  context: CommandContext,
  library: CommandLibrary,
  scope: string | undefined,
  text: string,
  filters: SearchFilters,
): Promise<LibrarySearch> {
  const now = context.io.now()
  const { role = [], tool, file, session } = filters
  const { roles: named = [], file: typedPath, cwd, ...typed } = parseQuery(text, now)
  const roles = [...named, ...role.flatMap((name) => parseQuery(`role:"${name}"`, now).roles ?? [])]
  const path = file ?? typedPath
  const isPlaced = [session, typed.session, cwd, typed.project, filters.project].some((value) => value !== undefined)
  return {
    ...(!isPlaced && { scope }),
    ...(cwd !== undefined && ofFolder(context, cwd)),
    ...typed,
    ...(roles.length > 0 && { roles }),
    ...filterValues((name) => filters[name]),
    ...(tool !== undefined && { tool }),
    ...(path !== undefined && { file: [path].flat().flatMap((end) => endsOfPath(context, end)) }),
    ...(session !== undefined && { session: await idOfSession(await findSession(context, session, library)) }),
    ...timesOf(filters, now),
  }
}

/** The sessions of a folder that is named, without those of its project. */
function ofFolder(context: CommandContext, cwd: string): Pick<LibrarySearch, "isWanted"> {
  const { folderName } = foldersOf(context)
  const asked = folderName(absoluteFolder(context.io, cwd))
  return { isWanted: (session) => folderName(session.cwd) === asked }
}

/** What stored paths end with, one or the other: they are absolute, or relative to the folder of the session. */
export function endsOfPath(context: Pick<CommandContext, "io" | "options">, path: string): string[] {
  if (!isWholePath(path) && !/^(?:\.\.?|~)([/\\]|$)/.test(path)) return [path]
  const whole = absoluteFolder(context.io, path)
  const { folderName } = foldersOf(context)
  const cwd = cwdIn(context)
  const below = pathBelow(cwd, whole) ?? pathBelow(folderName(cwd), folderName(whole))
  if (below) return [below]
  return [...new Set([whole, folderName(whole), ...(isAbsolute(whole) ? [relative(cwd, whole)] : [])])].filter(Boolean)
}
