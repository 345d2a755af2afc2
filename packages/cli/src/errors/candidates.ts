import type { SessionCandidate } from "@treelog/session-core"
import { type SessionInfo, type SessionSource, TreelogError } from "@treelog/session-core"
import { compareRecency, listSessions } from "@treelog/session-core/adapter"
import { ageOf, cleanLine, numberText, plural, type Style } from "@treelog-internal/text"
import { shortSessionIds } from "../render/short-ids.js"
import { tableLines } from "../render/table.js"
import { titleText } from "../render/titles.js"

/** A session that an ambiguous reference fits. */
export interface Candidate extends SessionCandidate {
  readonly shortId?: string
  readonly firstMessage?: string
  readonly modified?: number
}

/** How many are shown. */
const SHOWN = 8
const INDENT = "  "

/** Describes ambiguous sessions: id, age and name; where several have the same id, also the path. */
export function candidateLines(
  candidates: readonly Candidate[],
  { style, now }: { style: Style; now: number },
): string[] {
  const shown = candidates.slice(0, SHOWN)
  const narrower = { ...style, width: style.width === undefined ? undefined : style.width - INDENT.length }
  const table = tableLines<Candidate>(
    [
      { title: "ID", cell: ({ id, shortId }) => cleanLine(shortId ?? id), least: 20 },
      { title: "AGE", cell: ({ modified }) => (modified === undefined ? "" : ageOf(modified, now)), align: "right" },
      { title: "NAME OR FIRST MESSAGE", cell: ({ name, firstMessage = "" }) => titleText(name ?? firstMessage, style) },
    ],
    shown,
    narrower,
  )
  const isTold = new Set(candidates.map(({ id }) => id)).size === candidates.length
  const lines = table.flatMap((line, index) => {
    const path = shown[index - 1]?.path
    return isTold || path === undefined ? [INDENT + line] : [INDENT + line, `${INDENT}${INDENT}${cleanLine(path)}`]
  })
  const more = candidates.length - shown.length
  return more > 0 ? [...lines, `${INDENT}and ${numberText(more)} more`] : lines
}

/** Characters. */
const MAX_EXCERPT = 200

/** An `AmbiguousSessionError` with age and title of each candidate, newest first. */
export async function describeCandidates(
  storages: readonly SessionSource[],
  { data }: TreelogError<"AmbiguousSessionError">,
): Promise<TreelogError<"AmbiguousSessionError">> {
  const paths = new Set(data.candidates.map(({ path }) => path))
  const found = new Map<string, SessionInfo>()
  const ids: string[] = []
  for (const storage of storages)
    for await (const info of listSessions(storage, undefined)) {
      ids.push(info.id)
      if (paths.has(info.path)) found.set(info.path, info)
    }
  const short = shortSessionIds([...ids, ...data.candidates.map(({ id }) => id)])
  const described = [...found.values()].sort(compareRecency).map(
    ({ path, id, name, firstMessage, modified }): Candidate => ({
      path,
      id,
      shortId: short.of(id),
      ...(name === undefined ? { firstMessage: firstMessage.slice(0, MAX_EXCERPT) } : { name }),
      modified,
    }),
  )
  const gone = data.candidates.filter(({ path }) => !found.has(path))
  const message = `${JSON.stringify(data.ref)} may mean ${plural(paths.size, "session")}; use more of an id, or a path.`
  return new TreelogError("AmbiguousSessionError", message, { ...data, candidates: [...described, ...gone] })
}
