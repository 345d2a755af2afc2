// What was used is stored in the order of these spans of time, so that the sum of a day reads the rows of that day alone, and none is sorted.
// Later spans have lower numbers, as the ids of texts do: a first build, which begins with the newest sessions, fills its pages.

/** Local days begin at a multiple of it everywhere. Milliseconds. */
const SPAN = 900_000

/** The span that a time is in. Milliseconds since 1970; 0 for entries without a time, which are in the first span of 1970. */
export function spanOf(time: number): number {
  return 0 - Math.floor(time / SPAN)
}

/** The local day that a span is in: a time in it, in milliseconds since 1970 and never 0, and the last span of the day before. */
export function dayOf(span: number): { readonly time: number; readonly end: number } {
  const time = 1 - span * SPAN
  const date = new Date(time)
  return { time, end: spanOf(new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()) + 1 }
}
