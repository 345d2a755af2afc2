import { fileNameOf } from "../context/file-change.js"
import { fitsFilters, fitsModel } from "../entry/filters.js"
import { foldText } from "../entry/fold-text.js"
import { isOfWindows, isSameFolder, plainPath } from "../entry/folder-name.js"
import { TreelogError } from "../errors.js"
import type { FileQuery, IndexedSession, IndexFilter, SearchQuery } from "../ports/session-index.js"
import { matchesId } from "../session/listing/resolve-ref.js"
import type { EntryFacts, EntryText } from "./entry-facts.js"

/** Whether a session fits a filter, but for the files that its entries touched. */
export function fitsSession(filter: IndexFilter, session: IndexedSession): boolean {
  if (filter.sources?.includes(session.source ?? "") === false) return false
  if (filter.isWanted?.(session) === false) return false
  if (filter.cwd !== undefined && !isSameFolder(filter.cwd, session.cwd)) return false
  if (filter.session !== undefined && !matchesId(filter.session, session.id)) return false
  return fitsFilters(filter, session)
}

/** Whether the time of an entry, in milliseconds since 1970, fits a filter. One without a time fits no limit. */
export function fitsTime({ since, until }: IndexFilter, time: number): boolean {
  if (since === undefined && until === undefined) return true
  return time !== 0 && time >= (since ?? 0) && time < (until ?? Number.POSITIVE_INFINITY)
}

/** Whether a text fits a query by what is known of it without reading it. */
export function fitsText(query: SearchQuery, { role, model, tool }: Omit<EntryText, "text">): boolean {
  const { roles = [] } = query
  if (roles.length > 0 ? !roles.includes(role) : role === "other") return false
  if (query.label !== undefined && role !== "label") return false
  if (query.tool !== undefined && (tool === undefined || foldText(tool) !== foldText(query.tool))) return false
  return fitsModel(query, model)
}

/** The files of an entry whose paths end with what is asked for: those that it changed, then those that it read. */
export function filesThatFit(
  { readFiles, changedFiles }: Pick<EntryFacts, "readFiles" | "changedFiles">,
  { path, isChanged = false }: Pick<FileQuery, "path" | "isChanged">,
): { readonly path: string; readonly isChange: boolean }[] {
  const fit = (paths: readonly string[], isChange: boolean) =>
    paths.filter((found) => endsWithPath(found, path)).map((found) => ({ path: found, isChange }))
  return [...fit(changedFiles, true), ...(isChanged ? [] : fit(readFiles, false))]
}

/** Whether a path is another one, or ends with its segments; of several, with those of one: see `plainPath`. */
export function endsWithPath(path: string, end: string | readonly string[]): boolean {
  const plain = plainPath(path)
  return asList(end).some((one) => endsWithSegments(plain, one))
}

/**
 * The names of files whose paths can end with one of these: as they are, composed, and decomposed as macOS has them. Files of Windows are found
 * by names in any case.
 */
export function fileNamesOf(end: string | readonly string[]): string[] {
  const names = asList(end).map(fileNameOf)
  return [...new Set(names.flatMap((name) => [name, name.normalize("NFC"), name.normalize("NFD")]))]
}

/** Separators are alike, since a path may be of another system than its end. */
function endsWithSegments(path: string, end: string): boolean {
  const plainEnd = slashed(plainPath(end)).replace(/^(?:\.?\/)+/, "")
  const [whole, sought] = [slashed(path), plainEnd].map((one) => (isOfWindows(path) ? one.toLowerCase() : one))
  return sought !== "" && (whole === sought || whole?.endsWith(`/${sought}`) === true)
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/")
}

function asList(end: string | readonly string[]): readonly string[] {
  return typeof end === "string" ? [end] : end
}

const LIMIT = 50

/** The limit of a query. @throws InvalidArgumentError for a limit or a path that cannot be */
export function requireQuery({ limit = LIMIT, path }: Partial<Pick<FileQuery, "limit" | "path">>): number {
  if (path !== undefined) requirePath(path)
  if (Number.isInteger(limit) && limit >= 1) return limit
  const message = `A limit is a whole number of at least 1, not ${String(limit)}.`
  throw new TreelogError("InvalidArgumentError", message, { argument: "limit", value: limit })
}

/** @throws InvalidArgumentError for none, and for an empty path, which every path would end with */
function requirePath(path: string | readonly string[]): void {
  const ends = asList(path)
  if (ends.length > 0 && ends.every((end) => end.trim() !== "")) return
  throw new TreelogError("InvalidArgumentError", "Name the path of a file, or its end.", {
    argument: "path",
    value: path,
  })
}
