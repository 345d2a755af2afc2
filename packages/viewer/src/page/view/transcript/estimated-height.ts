import type { PageSession } from "../../session/page-session.js"
import type { TranscriptRow } from "../../session/transcript-rows.js"

/** Of text: pixels of a line, bytes that fit on it, and the bytes that are looked at. */
const LINE = 25
const LINE_BYTES = 90
const MOST_BYTES = 5_000
const CALL = 44

/** How high an entry will be, roughly, in CSS pixels. */
export function estimatedHeight(session: PageSession | undefined, row: TranscriptRow | undefined): number {
  if (!session || !row) return 40
  const { speaker, size, calls, isOnlyCalls } = session.summary(row.ordinal)
  const lines = Math.ceil(Math.min(size, MOST_BYTES) / LINE_BYTES)
  if (speaker === "note") return 30
  if (speaker === "user") return 48 + lines * LINE
  if (speaker === "assistant") return 44 + (calls?.length ?? 0) * CALL + (isOnlyCalls ? 0 : Math.ceil(lines / 2) * LINE)
  if (speaker === "bash") return 80 + Math.min(lines, 12) * 20
  return 76
}
