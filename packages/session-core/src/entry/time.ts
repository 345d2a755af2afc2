/** Milliseconds since 1970 of an ISO timestamp; 0 instead of NaN when it is missing or not a date. */
export function millisOf(timestamp: unknown): number {
  if (typeof timestamp !== "string") return 0
  const millis = Date.parse(timestamp)
  return Number.isNaN(millis) ? 0 : millis
}
