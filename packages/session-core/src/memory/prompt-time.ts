/** The last second of the year 5138. Larger numbers where seconds are expected are read as milliseconds. */
const LAST = 1e11

/** The timestamp to store for a prompt: milliseconds since 1970 to whole seconds. NaN and infinite times become 0. */
export function promptTimestamp(ms: number): number {
  if (!Number.isFinite(ms)) return 0
  return Math.min(Math.max(Math.floor(ms / 1000), 0), LAST)
}
