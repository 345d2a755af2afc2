import type { JSX } from "preact"
import { useViewer } from "../viewer-context.js"
import { BesideView } from "./beside-view.js"
import { Transcript } from "./transcript.js"

/** The transcript of the chosen branch, or two branches side by side. */
export function Conversation(): JSX.Element {
  const { beside } = useViewer().branch
  return beside ? <BesideView beside={beside} /> : <Transcript />
}
