import { sourceOf } from "@treelog/session-core/adapter"
import { sumOfUsages } from "@treelog/session-core/search"
import type { JSX } from "preact"
import type { PageSession } from "../../session/page-session.js"
import { readableLine } from "../../text/readable-text.js"
import { Diagnostics } from "../block/diagnostics.js"
import { Fold } from "../block/fold.js"
import { type Fact, Facts } from "../controls/facts.js"
import { costNotes, costText, momentText, numberText, plural, sizeText, tokensText } from "../format-values.js"
import { useMedia } from "../input/use-media.js"
import { useViewer } from "../state/viewer-context.js"

/** Facts about the session, above its conversation; on narrow screens one line, so that the conversation comes first. */
export function SessionHead({ session }: { readonly session: PageSession }): JSX.Element {
  const viewer = useViewer()
  const { phase, branch } = viewer
  const { header, usages } = session
  const { calls, totalTokens } = sumOfUsages(usages)
  const cost = viewer.prices.costOf(usages)
  const onBranch = branch.path.reduce((count, ordinal) => (session.isLeafMarker(ordinal) ? count : count + 1), 0)
  const isNarrow = useMedia("(max-width: 560px)")
  const { agent = "", person = "" } = sourceOf(header ?? {})
  const facts: readonly Fact[] = [
    ["Folder", readableLine(header?.cwd ?? "", 300)],
    ["Started", momentText(header?.timestamp ?? "")],
    ["Id", readableLine(header?.id ?? "", 80)],
    ["Agent", readableLine(agent, 80)],
    ["Bundled by", readableLine(person, 80)],
    [
      "Entries",
      `${numberText(session.shownCount)}${onBranch < session.shownCount ? `, ${numberText(onBranch)} on this branch` : ""}`,
    ],
    ["Tokens used by all branches", calls > 0 ? `${tokensText(totalTokens)} in ${plural(calls, "call")}` : undefined],
    ["Cost of all branches", calls > 0 ? costText(cost) : undefined],
    ["Size", sizeText(session.bytes.size)],
  ]
  return (
    <article class="session-head" aria-label="About the session">
      {isNarrow ? (
        <Fold
          ordinal={-1}
          part="facts"
          class="other"
          title="About"
          subject={readableLine(header?.cwd ?? "", 300)}
          fact={plural(session.shownCount, "entry", "entries")}
          content={() => <Facts facts={facts} />}
        />
      ) : (
        <Facts facts={facts} />
      )}
      {costNotes(cost).map((note) => (
        <p key={note} class="legend faint">
          {note}
        </p>
      ))}
      {branch.rows.rows.some(({ inContext, ordinal }) => !inContext && !isBookkeeping(session, ordinal)) && (
        <p class="legend faint">
          <span aria-hidden="true" class="legend-line" /> marks what the model no longer sees
        </p>
      )}
      <Diagnostics ordinal={-1} diagnostics={session.diagnostics} />
      {session.shownCount === 0 && phase.kind === "shown" && phase.reading.state !== "coming" && (
        <p class="faint">The session has no entries yet.</p>
      )}
    </article>
  )
}

function isBookkeeping(session: PageSession, ordinal: number): boolean {
  const { speaker } = session.summary(ordinal)
  return speaker === "note" || speaker === "reset"
}
