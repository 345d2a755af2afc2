// What was used is stored in the order of these spans of time, so that the sum of a day reads the rows of that day alone, and none is sorted.
// Later spans have lower numbers, as the ids of texts do: a first build, which begins with the newest sessions, fills its pages.

/** Local days begin at a multiple of it everywhere. Milliseconds. */
const SPAN = 900_000

/** The span that a time is in. Milliseconds since 1970; 0 for entries without a time, which are in the first span of 1970. */
export function spanOf(time: number): number {
  return 0 - Math.floor(time / SPAN)
}

/**
 * The local day that a span is in, or the hour of it: a time in it, in milliseconds since 1970 and never 0, and the last span before.
 */
export function dayOf(span: number, isHour: boolean): { readonly time: number; readonly end: number } {
  const time = 1 - span * SPAN
  const date = new Date(time)
  if (isHour) date.setMinutes(0, 0, 0)
  else date.setHours(0, 0, 0, 0)
  return { time, end: spanOf(date.getTime()) + 1 }
}
