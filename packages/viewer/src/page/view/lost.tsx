import type { JSX } from "preact"
import type { Reading } from "../session/read-session.js"
import { Icon } from "./icons.js"
import { useViewer } from "./viewer-context.js"

/** The message when the source of the session is lost. */
export function Lost(): JSX.Element | null {
  const { phase } = useViewer()
  const text = phase.kind === "shown" ? lostText(phase.reading) : undefined
  return text === undefined ? null : <Failure text={text} />
}

/** What is wrong with all that is shown. @param text safe to display */
export function Failure({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="failure banner" role="alert">
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
