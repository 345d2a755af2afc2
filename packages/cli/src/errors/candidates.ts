import type { TreelogError } from "@treelog/session-core"
import { ageOf, cleanLine, numberText } from "@treelog-internal/text"
import { type Look, tableLines, titleText } from "../render/table.js"

type SessionCandidate = TreelogError<"AmbiguousSessionError">["data"]["candidates"][number]

/** A session that an ambiguous reference fits. */
export interface Candidate extends SessionCandidate {
  readonly shortId?: string
  readonly firstMessage?: string
  readonly modified?: number
}

const SHOWN = 8
const INDENT = "  "

/** Describes ambiguous sessions: id, age and name; where several have the same id, also the path. */
export function candidateLines(
  candidates: readonly Candidate[],
  { style, now }: Pick<Look, "style" | "now">,
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
