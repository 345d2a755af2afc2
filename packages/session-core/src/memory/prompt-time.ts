/** The last second that a date can name. */
const LAST = 8.64e12

/** The second since 1970 that a prompt of this millisecond is kept with. What no clock tells becomes 1970. */
export function promptSecond(ms: number): number {
  if (!Number.isFinite(ms)) return 0
  return Math.min(Math.max(Math.floor(ms / 1000), 0), LAST)
}
