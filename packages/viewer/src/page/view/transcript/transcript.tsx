import type { JSX } from "preact"
import { useViewer } from "../viewer-context.js"
import { Feed } from "./feed.js"
import { SessionHead } from "./session-head.js"

/** The transcript of the chosen branch. The first row has the facts about the session. */
export function Transcript(): JSX.Element {
  const { rows } = useViewer().branch
  return <Feed rows={rows} label="Conversation" head={(session) => <SessionHead session={session} />} isMain />
}
