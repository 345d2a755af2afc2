import type { JSX } from "preact"
import { useViewer } from "../state/viewer-context.js"
import { BesideView } from "./beside-view.js"
import { Feed } from "./feed.js"
import { SessionHead } from "./session-head.js"

/** The transcript of the chosen branch, or two branches side by side. The first row has the facts about the session. */
export function Conversation(): JSX.Element {
  const { beside, rows } = useViewer().branch
  if (beside) return <BesideView beside={beside} />
  return <Feed rows={rows} label="Conversation" head={(session) => <SessionHead session={session} />} isMain />
}
