import type { PageSession } from "../../session/page-session.js"
import type { TranscriptRow } from "../../session/transcript-rows.js"

/** For text: pixels per line, bytes per line, and the most bytes to count. */
const LINE = 25
const LINE_BYTES = 90
const MOST_BYTES = 5_000
const CALL = 44

/** The estimated height of an entry in CSS pixels. */
export function estimatedHeight(session: PageSession | undefined, row: TranscriptRow | undefined): number {
  if (!session || !row) return 40
  const { speaker, size, calls, part } = session.summary(row.ordinal)
  const lines = Math.ceil(Math.min(size, MOST_BYTES) / LINE_BYTES)
  if (row.quiet || speaker === "note") return 30
  if (speaker === "user") return 48 + lines * LINE
  if (speaker === "assistant")
    return (calls?.length ?? 0) * CALL + (part === "tool" ? 12 : 44 + Math.ceil(lines / 2) * LINE)
  if (speaker === "bash") return 80 + Math.min(lines, 12) * 20
  return 76
}
