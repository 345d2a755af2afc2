import type { UsageQuery } from "../ports/session-index.js"

/** A span of the local calendar that sums are made of. */
export type Period = Extract<UsageQuery["by"], "hour" | "day" | "week" | "month">

/** The name of the period of a time: `09` (an hour of any day), `2026-11-23`, `2026-W48` (ISO 8601), `2026-11`; empty for 0, which is no time. Milliseconds since 1970. */
export function periodOf(time: number, period: Period): string {
  if (time === 0) return ""
  const date = new Date(time)
  if (period === "hour") return digits(date.getHours())
  if (period === "week") return weekOf(date)
  const month = `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1)}`
  return period === "month" ? month : `${month}-${digits(date.getDate())}`
}

const DAY = 24 * 60 * 60 * 1000

/** A week belongs to the year in which its Thursday lies. */
function weekOf(date: Date): string {
  const thursday = new Date(
    Date.UTC(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7) + 3),
  )
  const week = Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / DAY / 7) + 1
  return `${digits(thursday.getUTCFullYear(), 4)}-W${digits(week)}`
}

function digits(number: number, length = 2): string {
  return String(number).padStart(length, "0")
}

/** Whether sums are made of spans of time. */
export function isPeriod(by: string | undefined): by is Period {
  return by === "hour" || by === "day" || by === "week" || by === "month"
}
