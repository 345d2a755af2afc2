import type { JSX } from "preact"
import type { PageSession } from "../../session/page-session.js"
import type { TranscriptRow, TranscriptRows } from "../../session/transcript-rows.js"
import { useFold } from "../block/fold.js"
import { JsonView } from "../block/long-text.js"
import { SnippetText } from "../controls/snippet-text.js"
import { useRedraw } from "../state/use-changes.js"
import { useViewer } from "../state/viewer-context.js"
import { EntryBody } from "./entry-body.js"
import { EntryHeader, speakerName } from "./entry-header.js"

export interface EntryArticleProps {
  readonly session: PageSession
  readonly row: TranscriptRow
  /** All of its list. */
  readonly rows: TranscriptRows
  /** Its number among the entries of the branch, from 1. */
  readonly position: number
  readonly isCurrent: boolean
  /** Whether Tab goes to this entry. */
  readonly isStop: boolean
  /** Whether the same author continues, so that the name is not shown again. */
  readonly continues: boolean
  /** Whether the next entry continues this one. */
  readonly isContinued: boolean
  /** The day, if the entry is the first of another day. */
  readonly day: string | undefined
}

/** The part of a row that its line opens. */
const QUIET = "quiet"

export function EntryArticle(props: EntryArticleProps): JSX.Element {
  const { session, row, rows, position, isCurrent, isStop, continues, isContinued, day } = props
  const viewer = useViewer()
  const redraw = useRedraw()
  const { ordinal, inContext, quiet } = row
  const summary = session.summary(ordinal)
  const { unseenHit } = viewer
  const isUnseenHere = unseenHit !== undefined && rows.rowOf.get(unseenHit) === position - 1
  const isRaw = viewer.rawEntries.has(ordinal)
  const [isOpen, toggleQuiet] = useFold(ordinal, QUIET, quiet)
  const toggleRaw = (): void => {
    if (isRaw) viewer.rawEntries.delete(ordinal)
    else viewer.rawEntries.add(ordinal)
    redraw()
  }
  return (
    <article
      class="entry"
      tabIndex={isStop ? 0 : -1}
      aria-posinset={position}
      aria-setsize={rows.rows.length}
      aria-labelledby={`who-${ordinal}`}
      data-id={summary.id}
      data-speaker={quiet ? "note" : summary.speaker}
      data-continues={continues}
      data-continued={isContinued}
      data-step={continues && !row.fork && !row.edited && session.labels.get(summary.id) === undefined}
      data-in-context={inContext}
      data-current={isCurrent}
      onFocus={(event) => {
        if (event.target === event.currentTarget) viewer.setCurrent(ordinal)
      }}
    >
      {day !== undefined && <p class="day">{day}</p>}
      <div class="entry-body">
        <EntryHeader
          session={session}
          row={row}
          isRaw={isRaw}
          toggleRaw={toggleRaw}
          toggleQuiet={quiet && { isOpen, toggle: toggleQuiet }}
        />
        {isUnseenHere && (
          <p class="unseen-hit">
            Found in what is stored and not shown: <SnippetText ordinal={unseenHit} />
          </p>
        )}
        {isRaw ? (
          (quiet ?? [ordinal]).map((one) => <JsonView key={one} ordinal={one} part="raw" value={session.entry(one)} />)
        ) : quiet === undefined ? (
          <EntryBody session={session} row={row} />
        ) : (
          isOpen && <QuietBody session={session} row={row} quiet={quiet} />
        )}
      </div>
    </article>
  )
}

interface QuietBodyProps {
  readonly session: PageSession
  readonly row: TranscriptRow
  /** The entries of the row. */
  readonly quiet: readonly number[]
}

/** The entries of a quiet row, each under its name. */
function QuietBody({ session, row, quiet }: QuietBodyProps): JSX.Element {
  return (
    <>
      {quiet.map((ordinal) => (
        <section key={ordinal} class="quiet-entry" data-entry={ordinal}>
          {quiet.length > 1 && <p class="faint nothing">{speakerName(session, ordinal)}</p>}
          <QuietContent session={session} row={{ ...row, ordinal }} />
        </section>
      ))}
    </>
  )
}

function QuietContent({ session, row }: Omit<QuietBodyProps, "quiet">): JSX.Element {
  const { ordinal } = row
  const entry = session.entry(ordinal)
  const isNote = session.summary(ordinal).speaker === "note"
  if (!isNote || entry.type === "session_init") return <EntryBody session={session} row={row} />
  const { type: _, id, parentId, timestamp, ...fields } = entry as unknown as Record<string, unknown>
  return <JsonView ordinal={ordinal} part="fields" value={fields} />
}
