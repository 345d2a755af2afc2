import type { Cost, IndexedSession, SearchHit } from "@treelog/session-core/search"
import { ageOf, cleanLine, costText, folderLine, type Style, timeAt } from "@treelog-internal/text"
import type { ContextEntry, HitContext } from "../search/hit-context.js"
import { snippetText } from "./snippet-text.js"
import { titleText } from "./titles.js"
import { truncated, widthOf } from "./width.js"

/** The session of hits, as it is shown. */
interface ShownSession {
  readonly session: IndexedSession
  readonly title: string
  readonly shortId: string
  /** The time of its first hit. Milliseconds since 1970. */
  readonly time: number
  /** Undefined where no usage was reported. */
  readonly cost: Cost | undefined
  /** The program of its store, where several are searched. */
  readonly store: string | undefined
}

/** How hits are drawn. */
interface HitLook {
  readonly style: Style
  /** Milliseconds since 1970. */
  readonly now: number
  /** Sessions of several folders: say whose each is. */
  readonly withCwd: boolean
  readonly home: string | undefined
}

/** `Fix the flaky test  01a1ffe2  3h  ~$1.24  ~/shop`. */
export function sessionHeading(shown: ShownSession, { style, now, withCwd, home }: HitLook): string {
  const { session, title, shortId, time, cost, store } = shown
  const facts = [
    shortId,
    ageOf(time, now),
    cost ? costText(cost) : "",
    store ?? "",
    withCwd ? folderLine(session.cwd, home) : "",
  ]
  const [id = "", ...others] = facts.map(cleanLine).filter((fact) => fact !== "")
  const right = [id, ...others].join("  ")
  const room = style.width === undefined ? undefined : Math.max(0, style.width - widthOf(right) - 2)
  const name = truncated(titleText(title, style) || "(no name)", room, style.glyphs.ellipsis)
  return `${style.paint("bold", name)}  ${style.paint("cyan", id)}${style.paint("dim", ["", ...others].join("  "))}`
}

const INDENT = "  "

/** A hit: who said it, when, and the snippet; what comes before and after it; and the command that shows it. */
export function* hitLines(
  { role, tool, part, time, snippet }: SearchHit,
  command: string,
  { before, after }: HitContext,
  { style }: Pick<HitLook, "style">,
): Generator<string> {
  for (const entry of before) yield contextLine(entry, style)
  const who = cleanLine(sayer({ role, tool, part }))
  const head = [...(time === 0 ? [] : [timeAt(time)]), who].join("  ")
  const room = style.width === undefined ? undefined : style.width - widthOf(head) - INDENT.length * 2
  yield `${INDENT}${style.paint("dim", head)}  ${snippetText(snippet, style, room)}`
  for (const entry of after) yield contextLine(entry, style)
  // Not cut, so that it can be copied.
  yield `${INDENT}${INDENT}${style.paint("dim", command)}`
}

/** `toolResult bash in subagents/agent-1.jsonl`. */
export function sayer({ role, tool, part }: Pick<SearchHit, "role" | "tool" | "part">): string {
  return [role, tool, part && `in ${part.name}`].filter(Boolean).join(" ")
}

function contextLine({ who, text }: ContextEntry, style: Style): string {
  const room = style.width === undefined ? undefined : style.width - INDENT.length * 2
  return `${INDENT}${INDENT}${style.paint("dim", style.cut(`${who}: ${text}`, room))}`
}
