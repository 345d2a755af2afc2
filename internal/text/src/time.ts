const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago, for the last week; the local date for what is older, or to come. Both in milliseconds since 1970. */
export function ageOf(time: number, now: number): string {
  const age = now - time
  return age >= 0 && age < 7 * DAY ? agoOf(age) : dateOf(time)
}

/** A time that passed, in milliseconds, in at most four characters for the next 27 years. What is to come is now. */
export function agoOf(age: number): string {
  if (age < MINUTE) return "now"
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`
  return age < DAY ? `${Math.floor(age / HOUR)}h` : `${Math.floor(age / DAY)}d`
}

/** `2026-03-07`, in local time; empty for what is not a date. */
function dateOf(time: number): string {
  const date = new Date(time)
  if (time === 0 || Number.isNaN(date.getTime())) return ""
  return `${twoDigits(date.getFullYear())}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** `2026-03-07 14:05`, in local time, of an ISO timestamp; empty for what is not a date. */
export function timeOf(timestamp: unknown): string {
  return timeAt(typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN)
}

/** `timeOf` of milliseconds since 1970; empty for 0, which stands for no time. */
export function timeAt(time: number): string {
  const date = new Date(time)
  if (!date.getTime()) return ""
  return `${dateOf(date.getTime())} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0")
}
