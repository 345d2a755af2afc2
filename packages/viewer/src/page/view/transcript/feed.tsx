import type { JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { VirtualList } from "../../scroll/virtual-list.js"
import type { PageSession } from "../../session/page-session.js"
import type { TranscriptRow, TranscriptRows } from "../../session/transcript-rows.js"
import { dayText } from "../format-values.js"
import { rangeOfHit, useHitHighlights } from "../input/highlight-hits.js"
import type { Viewer } from "../state/viewer.js"
import { useViewer } from "../state/viewer-context.js"
import { EntryArticle } from "./entry-article.js"

export interface FeedProps {
  readonly rows: TranscriptRows
  /** For screen readers. */
  readonly label: string
  /** The first row. */
  readonly head: (session: PageSession) => JSX.Element
  /** Whether the plot and the keys of the page follow it. */
  readonly isMain: boolean
}

/** The entries of a branch, or of its end. */
export function Feed({ rows, label, head, isMain }: FeedProps): JSX.Element {
  const viewer = useViewer()
  const { session, goal, current } = viewer
  const list = useRef<VirtualList>(null)
  const at = current === undefined ? undefined : rows.rowOf.get(current)
  useLayoutEffect(() => {
    const row = goal && rows.rowOf.get(goal.ordinal)
    if (!goal || row === undefined) return
    viewer.reached(goal)
    list.current?.scrollToRow(row + 1)
    const { terms } = viewer.searching
    if (goal.isHit && terms.some(({ isExcluded }) => !isExcluded))
      list.current?.showInRow(row + 1, (rendered) => {
        const range = rangeOfHit(rendered, goal.ordinal, terms)
        if (!range) viewer.update({ unseenHit: goal.ordinal })
        return range
      })
    if (goal.focusFrom !== undefined) list.current?.focusRow(row + 1, goal.focusFrom)
  }, [goal, rows])
  useHitHighlights(() => (isMain ? list.current?.element : undefined), {
    terms: viewer.searching.terms,
    currentRange: () => {
      const hit = viewer.searching.hits[viewer.searching.at]
      const row = hit === undefined ? undefined : rows.rowOf.get(hit)
      const rendered = row === undefined ? undefined : list.current?.elementOf(row + 1)
      return rendered && hit !== undefined ? rangeOfHit(rendered, hit, viewer.searching.terms) : undefined
    },
  })
  const day = (row: number): string | undefined => {
    const ordinal = rows.rows[row]?.ordinal
    return ordinal === undefined ? undefined : dayText(session?.summary(ordinal).timestamp ?? "")
  }
  return (
    <VirtualList
      ref={list}
      count={rows.rows.length + 1}
      rows={rows}
      follows={viewer.phase.kind === "shown" && viewer.phase.reading.state === "followed"}
      estimate={(row) => (row === 0 ? 120 : estimatedHeight(session, rows.rows[row - 1]))}
      keyOf={(row) => rows.rows[row - 1]?.ordinal ?? `head ${row}`}
      onSeen={(first, last) => {
        if (isMain) viewer.seen.set(rows.rows[Math.max(0, first - 1)]?.ordinal, rows.rows[last - 1]?.ordinal)
      }}
      renderRow={(row) => {
        const item = rows.rows[row - 1]
        if (!item || !session) return session && head(session)
        const today = day(row - 1)
        const continuesAt = (at: number): boolean =>
          day(at) === day(at - 1) && continues(session, rows.rows[at - 1], rows.rows[at])
        return (
          <EntryArticle
            session={session}
            row={item}
            rows={rows}
            position={row}
            isCurrent={row - 1 === at}
            isStop={row - 1 === (at ?? 0)}
            continues={continuesAt(row - 1)}
            isContinued={continuesAt(row)}
            day={today !== day(row - 2) ? today : undefined}
          />
        )
      }}
      attributes={{
        class: "feed",
        role: "feed",
        tabIndex: 0,
        "aria-label": label,
        "aria-busy": viewer.phase.kind === "shown" && viewer.phase.reading.state === "coming",
        onKeyDown: (event) => feedKey(event, viewer, rows, list.current),
      }}
    />
  )
}

/** Whether an answer continues after tool results. */
function continues(session: PageSession, before: TranscriptRow | undefined, row: TranscriptRow | undefined): boolean {
  if (!before || !row) return false
  const last = session.summary(before.ordinal)
  const now = session.summary(row.ordinal)
  return now.speaker === "assistant" && last.speaker === "assistant" && last.spent?.model === now.spent?.model
}

/** Handles keys that go from entry to entry. */
function feedKey(
  event: KeyboardEvent,
  viewer: Viewer,
  { rows, rowOf }: TranscriptRows,
  list: VirtualList | null,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !list) return
  // Starts at the first visible entry.
  const { current = viewer.seen.first } = viewer
  const at = current === undefined ? 0 : (rowOf.get(current) ?? 0)
  const isFirstTime = viewer.current === undefined
  const go = (to: number): void => {
    const row = rows[Math.max(0, Math.min(to, rows.length - 1))]
    if (row) viewer.goTo(row.ordinal)
  }
  if (event.key === "j") go(isFirstTime ? at : at + 1)
  else if (event.key === "k") go(at - 1)
  else if (event.key === "u" || event.key === "U") go(nextQuestion(viewer, rows, at, event.key === "u" ? 1 : -1))
  else if (event.key === "o") unfold(list.elementOf(at + 1))
  else return
  event.preventDefault()
}

function nextQuestion(viewer: Viewer, rows: readonly TranscriptRow[], from: number, step: number): number {
  for (let at = from + step; at >= 0 && at < rows.length; at += step) {
    const ordinal = rows[at]?.ordinal
    if (ordinal !== undefined && viewer.session?.summary(ordinal).speaker === "user") return at
  }
  return from
}

/** Expands all parts of an entry; if all are expanded, collapses them. */
function unfold(entry: HTMLElement | undefined): void {
  const buttons = [...(entry?.querySelectorAll<HTMLElement>("button[aria-expanded]") ?? [])]
  const closed = buttons.filter((button) => button.ariaExpanded === "false")
  for (const button of closed.length > 0 ? closed : buttons) button.click()
}

/** For text: pixels per line, bytes per line, and the most bytes to count. */
const LINE = 25
const LINE_BYTES = 90
const MOST_BYTES = 5_000
const CALL = 44

/** The estimated height of an entry in CSS pixels. */
function estimatedHeight(session: PageSession | undefined, row: TranscriptRow | undefined): number {
  if (!session || !row) return 40
  const { speaker, size, calls, part } = session.summary(row.ordinal)
  const lines = Math.ceil(Math.min(size, MOST_BYTES) / LINE_BYTES)
  if (row.quiet || speaker === "note") return 30
  if (speaker === "user") return 48 + lines * LINE
  if (speaker === "assistant")
    return (calls?.length ?? 0) * CALL + (part === "tool" ? 12 : 44 + Math.ceil(lines / 2) * LINE)
  if (speaker === "bash") return 80 + Math.min(lines, 12) * 20
  return 76
}
