/** The last second of the year 5138. A greater number in a place for seconds is taken for milliseconds. */
const LAST = 1e11

/** The second since 1970 that a prompt of this millisecond is kept with. What no clock tells becomes 1970. */
export function promptTimestamp(ms: number): number {
  if (!Number.isFinite(ms)) return 0
  return Math.min(Math.max(Math.floor(ms / 1000), 0), LAST)
}
