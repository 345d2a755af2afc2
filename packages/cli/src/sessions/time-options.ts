import { timeSpan } from "@treelog/session-core/search"

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

/** @throws InvalidArgumentError for what is not a time */
export function timesOf({ since, until }: TimeOptions, now: number): Times {
  return {
    ...(since !== undefined && { since: timeSpan(since, now).from }),
    ...(until !== undefined && { until: timeSpan(until, now).to }),
  }
}

export function isWithin(
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Times,
  time: number,
): boolean {
  return time >= since && time < until
}
