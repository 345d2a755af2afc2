import type { BlobStore, SessionEntry } from "@treelog/session-core"
import { restoreEntry } from "@treelog/session-core/adapter"
import { useEffect, useState } from "preact/hooks"
import type { PageSession } from "../../session/page-session.js"
import { useViewer } from "../state/viewer-context.js"

/** An entry with its available images and long texts restored; the others stay references. */
export function useEntry(session: PageSession, ordinal: number): SessionEntry {
  const viewer = useViewer()
  const entry = session.entry(ordinal)
  const [restored, setRestored] = useState({ of: entry, value: entry })
  useEffect(() => {
    let isWanted = true
    // `restoreEntry` calls only `get`.
    restoreEntry(entry, viewer.blobs as BlobStore).then(
      ({ value, diagnostics }) => {
        if (!isWanted) return
        if (value !== entry) setRestored({ of: entry, value })
        const damaged = diagnostics.find(({ kind }) => kind === "damaged-blob")
        if (damaged) viewer.say(damaged.message)
      },
      (error) => {
        if (isWanted) viewer.say(`A blob could not be read: ${error instanceof Error ? error.message : error}`)
      },
    )
    return () => {
      isWanted = false
    }
  }, [entry, viewer.blobsVersion])
  return restored.of === entry ? restored.value : entry
}
