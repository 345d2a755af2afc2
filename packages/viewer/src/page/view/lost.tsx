import type { JSX } from "preact"
import type { Reading } from "../session/read-session.js"
import { Icon } from "./controls/icons.js"
import { useViewer } from "./state/viewer-context.js"

/** Whether the session is still read, or its source is lost: it lies over the end of the page, so that nothing moves when it comes or goes. */
export function ReadingNotes(): JSX.Element {
  const { phase } = useViewer()
  const reading = phase.kind === "shown" ? phase.reading : undefined
  const lost = reading && lostText(reading)
  return (
    <div class="passing">
      {reading?.state === "coming" && (
        <p class="note" role="status">
          Still reading …
        </p>
      )}
      {lost !== undefined && <Failure text={lost} isBanner />}
    </div>
  )
}

/** What went wrong. @param text safe to display @param isBanner whether it is about all that is shown */
export function Failure({ text, isBanner }: { readonly text: string; readonly isBanner?: boolean }): JSX.Element {
  return (
    <p class={isBanner ? "failure banner" : "failure"} role="alert">
      <Icon name="warning" />
      <span>{text}</span>
    </p>
  )
}

function lostText({ state, fault }: Reading): string | undefined {
  if (state === "gone") return "The session was removed. This is its last state."
  if (state === "no-answer") return "No connection to the server: new entries are not shown. Trying again …"
  return state === "broken" ? `${fault} Everything read so far is shown.` : undefined
}
