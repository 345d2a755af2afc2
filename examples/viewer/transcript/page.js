// Shows session.jsonl at the entry that the address names. Any server of files serves this folder; `parts` is a copy of
// node_modules/@treelog/viewer/dist/parts.

import { mountTranscript, openSessionView } from "./parts/index.js"

const response = await fetch("session.jsonl")
if (!response.ok) throw new Error(`session.jsonl: ${response.status}`)

const view = openSessionView(
  { file: await response.blob() },
  {
    entryId: decodeURIComponent(location.hash.slice(1)) || undefined,
    onTitle: (title) => {
      document.querySelector("h1").textContent = title
    },
    onEntry: (id) => history.replaceState(null, "", `#${encodeURIComponent(id)}`),
  },
)
const place = document.querySelector("#transcript")
place.style.height = "90vh"
mountTranscript(place, { view })
