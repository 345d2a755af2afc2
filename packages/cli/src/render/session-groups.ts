import type { SessionInfo } from "@treelog/session-core"
import type { ProjectFolders } from "@treelog/stores"
import { folderLine, plural, type Style, timeAt } from "@treelog-internal/text"
import { type Column, type Look, tableLines } from "./table.js"

/** Sessions by their projects, in the order in which these occur first: where the newest comes first, so does its folder. */
export function byFolder<Info extends SessionInfo>(
  sessions: readonly Info[],
  groupOf: ProjectFolders["titleOf"],
): Map<string, Info[]> {
  // Folders that are here first: they say which worktrees are gone.
  for (const { cwd } of sessions) groupOf(cwd)
  const groups = new Map<string, Info[]>()
  for (const info of sessions) {
    const project = groupOf(info.cwd, () => info.repository)
    const group = groups.get(project)
    if (group) group.push(info)
    else groups.set(project, [info])
  }
  return groups
}

/** One table with a heading for each group. */
export function* groupLines<Info extends SessionInfo>(
  groups: ReadonlyMap<string, readonly Info[]>,
  columns: readonly Column<Info>[],
  { style, home }: Pick<Look, "style" | "home">,
): Generator<string> {
  const [titles = "", ...lines] = tableLines(columns, [...groups.values()].flat(), style)
  yield titles
  let at = 0
  for (const [project, { length }] of groups) {
    yield ""
    yield groupHeading(project, length, { style, home })
    yield* lines.slice(at, at + length)
    at += length
  }
}

/** `~/shop  12 sessions`. */
function groupHeading(project: string, length: number, { style, home }: Pick<Look, "style" | "home">): string {
  const count = plural(length, "session")
  const folder = project === "" ? "(no folder)" : folderLine(project, home)
  const room = style.width === undefined ? undefined : Math.max(0, style.width - count.length - 2)
  return `${style.paint("bold", style.cut(folder, room))}  ${style.paint("dim", count)}`
}

/** The lines of a table, on a terminal with each further day before its first session. For pages, newest first. */
export function dayLines(style: Style) {
  let before = ""
  /** @param lines of these sessions, the last ones; titles may come before them */
  return function* (lines: readonly string[], sessions: readonly SessionInfo[]): Generator<string> {
    const titles = lines.length - sessions.length
    for (const [at, line] of lines.entries()) {
      const session = sessions[at - titles]
      const day = session && timeAt(session.modified).slice(0, DATE)
      if (style.width !== undefined && before && day && day !== before) yield style.paint("dim", day)
      if (day) before = day
      yield line
    }
  }
}

/** `2026-11-23`. */
const DATE = 10
