import type { Fields } from "@treelog-internal/text"
import type { JSX } from "preact"
import { numberIn, textIn } from "../../session/tool-call.js"
import { lineWithoutMarkdown } from "../../text/readable-text.js"
import { Fold } from "../block/fold.js"
import { MarkdownText } from "../block/markdown-text.js"
import { tokensText } from "../format-values.js"
import { useViewer } from "../state/viewer-context.js"

interface SummaryProps {
  readonly ordinal: number
  readonly fields: Fields
}

export function CompactionBody({ ordinal, fields }: SummaryProps): JSX.Element {
  const before = numberIn(fields.tokensBefore)
  const kept = textIn(fields.firstKeptEntryId)
  return (
    <>
      <p class="marker-text">
        {before > 0 && `${tokensText(before)} tokens were summarized. `}
        {kept !== undefined && (
          <>
            Everything from <EntryLink id={kept}>this entry</EntryLink> on was kept.
          </>
        )}
      </p>
      <Summary ordinal={ordinal} text={fields.summary} />
    </>
  )
}

export function BranchBody({ ordinal, fields }: SummaryProps): JSX.Element {
  const from = textIn(fields.fromId)
  return (
    <>
      <p class="marker-text">
        {from !== undefined && from !== "root" && (
          <>
            Returned from another branch, which ends at <EntryLink id={from}>this entry</EntryLink>.
          </>
        )}
      </p>
      <Summary ordinal={ordinal} text={fields.summary} />
    </>
  )
}

function Summary({ ordinal, text }: { readonly ordinal: number; readonly text: unknown }): JSX.Element | null {
  if (typeof text !== "string" || text.trim() === "") return null
  return (
    <Fold
      ordinal={ordinal}
      part="summary"
      class="summary"
      title="Summary"
      subject={lineWithoutMarkdown(text, 160)}
      content={() => <MarkdownText text={text} />}
    />
  )
}

/** A link to an entry of the session; plain text if there is no such entry. */
function EntryLink({ id, children }: { readonly id: string; readonly children: string }): JSX.Element {
  const viewer = useViewer()
  if (viewer.session?.tree.ordinalOf(id) === undefined) return <>{children}</>
  const follow = (event: Event): void => {
    event.preventDefault()
    viewer.goToId(id)
  }
  const href = viewer.address.hrefOf(id)
  return href === undefined ? (
    <button type="button" class="text-button" onClick={follow}>
      {children}
    </button>
  ) : (
    <a href={href} onClick={follow}>
      {children}
    </a>
  )
}
