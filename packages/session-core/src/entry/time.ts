/** Milliseconds since 1970 of an ISO timestamp; 0 where it is missing or no date, so that nothing downstream meets NaN. */
export function millisOf(timestamp: unknown): number {
  if (typeof timestamp !== "string") return 0
  const millis = Date.parse(timestamp)
  return Number.isNaN(millis) ? 0 : millis
}
