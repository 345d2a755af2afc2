import type { SessionInfo } from "@treelog/session-core"
import { folderLine, plural, type Style } from "@treelog-internal/text"
import { type Column, tableLines } from "./table.js"

/** Sessions by their folders, in the order in which these occur first: where the newest comes first, so does its folder. */
export function byFolder<Info extends SessionInfo>(sessions: readonly Info[]): Info[][] {
  const groups = new Map<string, Info[]>()
  for (const info of sessions) {
    const group = groups.get(info.cwd)
    if (group) group.push(info)
    else groups.set(info.cwd, [info])
  }
  return [...groups.values()]
}

/** One table with a heading for each group. */
export function* groupLines<Info extends SessionInfo>(
  groups: readonly (readonly Info[])[],
  columns: readonly Column<Info>[],
  { style, home }: { readonly style: Style; readonly home: string | undefined },
): Generator<string> {
  const [titles = "", ...lines] = tableLines(columns, groups.flat(), style)
  yield titles
  let at = 0
  for (const group of groups) {
    yield ""
    yield groupHeading(group, { style, home })
    yield* lines.slice(at, at + group.length)
    at += group.length
  }
}

/** `~/shop  12 sessions`. */
function groupHeading(
  group: readonly SessionInfo[],
  { style, home }: { readonly style: Style; readonly home: string | undefined },
): string {
  const count = plural(group.length, "session")
  const folder = group[0]?.cwd === "" ? "(no folder)" : folderLine(group[0]?.cwd ?? "", home)
  const room = style.width === undefined ? undefined : Math.max(0, style.width - count.length - 2)
  return `${style.paint("bold", style.cut(folder, room))}  ${style.paint("dim", count)}`
}
