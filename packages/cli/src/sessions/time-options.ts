import { timeSpan } from "@treelog/session-core/search"
import { UsageError } from "../errors/exit-codes.js"

/** Limits of time, as they were typed. */
export interface TimeOptions {
  readonly since?: string
  readonly until?: string
}

/** What the options `--since` and `--until` mean: from `since` on, and before `until`. Milliseconds since 1970. */
export interface Times {
  readonly since?: number
  readonly until?: number
}

/** @throws InvalidArgumentError for what is not a time; UsageError where no time is between the two */
export function timesOf({ since, until }: TimeOptions, now: number): Times {
  const times = {
    ...(since !== undefined && { since: timeSpan(since, now).from }),
    ...(until !== undefined && { until: timeSpan(until, now).to }),
  }
  if (times.since !== undefined && times.until !== undefined && times.since >= times.until)
    throw new UsageError(`No time is since ${JSON.stringify(since)} and until ${JSON.stringify(until)}: swap the two.`)
  return times
}

export function isWithin(
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Times,
  time: number,
): boolean {
  return time >= since && time < until
}
