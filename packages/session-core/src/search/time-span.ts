import { TreelogError } from "../errors.js"

/** A time as people write it, from its first to behind its last millisecond. Milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

const AGO = /^(\d{1,6})\s*(m|min|h|d|w|mo|y)$/
const NAMED = /^(today|yesterday|(this|last) (week|month|year))$/
const DATE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d))?)?)?)?$/

/**
 * Reads a time of `since` or `until`, in local time: `2026`, `2026-11`, `2026-11-23`, `2026-11-23 14:05`, an ISO time with its zone; `30d` (`min`, `h`, `d`, `w`, `mo`,
 * `y`) ago; `today`, `yesterday`, `this week`, `last week` (from Monday), `last month`, `last year`.
 * @param now milliseconds since 1970
 * @throws InvalidArgumentError
 */
export function timeSpan(text: string, now: number): TimeSpan {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, " ")
  const span = ago(said, now) ?? named(said, now) ?? dated(said) ?? zoned(text.trim())
  if (span) return span
  const message = `${JSON.stringify(text)} is not a time: write 2026-11-23, 30d, yesterday or "last week".`
  throw new TreelogError("InvalidArgumentError", message, { argument: "time", value: text })
}

const MINUTE = 60_000

function ago(said: string, now: number): TimeSpan | undefined {
  const [, count, unit] = AGO.exec(said) ?? []
  if (count === undefined) return undefined
  const number = Number(count)
  const then = new Date(now)
  if (unit === "mo") then.setMonth(then.getMonth() - number)
  else if (unit === "y") then.setFullYear(then.getFullYear() - number)
  else if (unit === "d" || unit === "w") then.setDate(then.getDate() - number * (unit === "w" ? 7 : 1))
  else then.setTime(now - number * (unit === "h" ? 60 : 1) * MINUTE)
  const at = then.getTime()
  return Number.isNaN(at) ? undefined : { from: at, to: at }
}

function named(said: string, now: number): TimeSpan | undefined {
  if (!NAMED.test(said)) return undefined
  const day = new Date(now)
  const [year, month, date] = [day.getFullYear(), day.getMonth(), day.getDate()]
  const back = said.startsWith("last") || said === "yesterday" ? 1 : 0
  if (said.endsWith("year")) return between([year - back, 0, 1], [year - back + 1, 0, 1])
  if (said.endsWith("month")) return between([year, month - back, 1], [year, month - back + 1, 1])
  if (!said.endsWith("week")) return between([year, month, date - back], [year, month, date - back + 1])
  const monday = date - ((day.getDay() + 6) % 7) - 7 * back
  return between([year, month, monday], [year, month, monday + 7])
}

type LocalDay = readonly [year: number, month: number, day: number]

function between(from: LocalDay, to: LocalDay): TimeSpan {
  return { from: new Date(...from).getTime(), to: new Date(...to).getTime() }
}

function dated(said: string): TimeSpan | undefined {
  const match = DATE.exec(said)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const from = new Date(year as number, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0)
  // What a day or a month does not have would be in the next one; a year before 100 would be in the 20th century.
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59 || from.getFullYear() !== year) return undefined
  if (from.getMonth() !== (month ?? 1) - 1 || from.getDate() !== (day ?? 1)) return undefined
  const to = new Date(from)
  if (second !== undefined) to.setSeconds(second + 1)
  else if (minute !== undefined) to.setMinutes(minute + 1)
  else if (day !== undefined) to.setDate(day + 1)
  else if (month !== undefined) to.setMonth(month)
  else to.setFullYear(to.getFullYear() + 1)
  return { from: from.getTime(), to: to.getTime() }
}

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/i

function zoned(text: string): TimeSpan | undefined {
  // `Date.parse` takes 30 February for 2 March.
  const at = ZONED.test(text) && dated(text.slice(0, "2026-11-23".length)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : { from: at, to: at }
}
