import type { JSX } from "preact"
import type { PageSession } from "../../session/page-session.js"
import type { TranscriptRow } from "../../session/transcript-rows.js"
import { JsonView } from "../block/json-view.js"
import { EntryBody } from "./entry-body.js"
import { speakerName } from "./entry-header.js"

interface QuietBodyProps {
  readonly session: PageSession
  readonly row: TranscriptRow
  /** The entries of the row. */
  readonly quiet: readonly number[]
}

/** The entries of a quiet row, each under its name. */
export function QuietBody({ session, row, quiet }: QuietBodyProps): JSX.Element {
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
