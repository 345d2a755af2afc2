// Formats numbers and times for display.

export { costNotes, costText, dollarsText, numberText, plural, sizeText, tokensText } from "@treelog-internal/text"

// Created once, since that takes longer than rendering an entry.
const time = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" })
const day = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short", year: "numeric" })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" })
const dayAndTime = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
})
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" })

export function timeText(timestamp: string): string | undefined {
  return formatted(time, timestamp)
}

export function dayText(timestamp: string): string | undefined {
  return formatted(day, timestamp)
}

export function momentText(timestamp: string): string | undefined {
  return formatted(moment, timestamp)
}

/** A time in a list: the time of a day of today, else with the day, or the day alone of another year. Milliseconds since 1970. */
export function whenText(at: number): string {
  const [now, then] = [new Date(), new Date(at)]
  if (then.toDateString() === now.toDateString()) return time.format(at)
  return then.getFullYear() === now.getFullYear() ? dayAndTime.format(at) : date.format(at)
}

/** A local day such as `2026-11-23`. */
export function dateText(day: string): string {
  const at = Date.parse(`${day}T12:00:00`)
  return Number.isNaN(at) ? "" : date.format(at)
}

function formatted(format: Intl.DateTimeFormat, timestamp: string): string | undefined {
  const at = Date.parse(timestamp)
  // 0 stands for no time.
  return at ? format.format(at) : undefined
}
