import type { JSX } from "preact"
import { useMemo, useState } from "preact/hooks"
import type { SumRow } from "../../source/sessions-client.js"
import { allDays, type Day } from "../../stores/usage-sums.js"
import { costText, dateText, plural, tokensText } from "../format-values.js"
import { useMedia } from "../input/use-media.js"

/** On narrow screens, half a year: the days of a whole one would be too small to see. */
const WEEKS = 53
const NARROW_WEEKS = 27
const NARROW = "(max-width: 560px)"
/** A day, with its gap. */
const STEP = 12
const SIDE = 10
/** The height of the names of months above the days, and the width of those of weekdays beside them. */
const TOP = 14
const LEFT = 24
const HEIGHT = TOP + 7 * STEP

const month = new Intl.DateTimeFormat(undefined, { month: "short", timeZone: "UTC" })
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" })
/** Rows with a name, and a date of that weekday. */
const WEEKDAYS = [0, 2, 4].map((row) => ({ row, name: weekday.format(Date.UTC(2024, 0, 1 + row)) }))
/** How much of the colour each shade has. */
const SHADES = ["0%", "30%", "52%", "76%", "100%"]

/** Tokens of each day of a year, as shades: a column for each week, from Monday. */
export function ActivityCalendar({ rows }: { readonly rows: readonly SumRow[] }): JSX.Element {
  const weeks = useMedia(NARROW) ? NARROW_WEEKS : WEEKS
  const span = weeks === WEEKS ? "a year" : "half a year"
  const days = useMemo(() => daysUntilToday(rows, weeks), [rows, weeks])
  const [at, setAt] = useState<number>()
  const limits = useMemo(() => quartiles(days), [days])
  const active = days.filter(({ totals }) => totals.calls > 0).length
  const shown = at === undefined ? undefined : days[at]
  const point = (event: MouseEvent): void => {
    const { left, top, width, height } = (event.currentTarget as Element).getBoundingClientRect()
    const week = Math.floor((((event.clientX - left) / (width || 1)) * (LEFT + weeks * STEP) - LEFT) / STEP)
    const row = Math.floor((((event.clientY - top) / (height || 1)) * HEIGHT - TOP) / STEP)
    const day = week * 7 + row
    setAt(week >= 0 && row >= 0 && day < days.length ? day : undefined)
  }
  return (
    <figure class="calendar">
      <figcaption>
        <span>
          Activity in {span}: {plural(active, "day")}
        </span>
        <span class="faint">
          {shown ? (
            `${dateText(shown.key)}: ${plural(shown.totals.calls, "call")}, ${tokensText(shown.totals.totalTokens)} tokens, ${costText(shown.cost)}`
          ) : (
            <Shades />
          )}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`Calendar of ${span}: ${plural(active, "day")} with activity`}
        viewBox={`0 0 ${LEFT + weeks * STEP} ${HEIGHT}`}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
      >
        {monthsOf(days).map(({ name, week }) => (
          <text key={week} x={LEFT + week * STEP + 1} y={TOP - 5}>
            {name}
          </text>
        ))}
        {WEEKDAYS.map(({ row, name }) => (
          <text key={name} x={0} y={TOP + row * STEP + 9}>
            {name}
          </text>
        ))}
        {days.map(({ key, totals }, day) => (
          <rect
            key={key}
            class={day === at ? "chosen" : ""}
            style={{ "--shade": SHADES[limits.filter((limit) => totals.totalTokens > limit).length] }}
            x={LEFT + Math.floor(day / 7) * STEP + 1}
            y={TOP + (day % 7) * STEP + 1}
            width={SIDE}
            height={SIDE}
            rx={2}
          />
        ))}
      </svg>
    </figure>
  )
}

function Shades(): JSX.Element {
  return (
    <span class="shades">
      less
      <svg viewBox={`0 0 ${SHADES.length * STEP} ${STEP}`} aria-hidden="true">
        {SHADES.map((shade, at) => (
          <rect key={shade} style={{ "--shade": shade }} x={at * STEP + 1} y={1} width={SIDE} height={SIDE} rx={2} />
        ))}
      </svg>
      more
    </span>
  )
}

/** The months that begin in the calendar, each at the first week that begins in it. */
function monthsOf(days: readonly Day[]): { readonly name: string; readonly week: number }[] {
  const mondays = days.filter((_, day) => day % 7 === 0)
  return mondays.flatMap(({ key }, week) => {
    const isNew = week > 0 && mondays[week - 1]?.key.slice(0, 7) !== key.slice(0, 7)
    return isNew ? [{ name: month.format(Date.parse(key)), week }] : []
  })
}

/** From a Monday so many weeks ago until today. */
function daysUntilToday(rows: readonly SumRow[], weeks: number): Day[] {
  const now = new Date()
  const today = localDay(now)
  const monday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - ((now.getDay() + 6) % 7) - 7 * (weeks - 1))
  return allDays(rows, localDay(monday), today)
}

/** `2026-11-23`, as the index names days. */
function localDay(date: Date): string {
  return date.toLocaleDateString("sv-SE")
}

/** Above which tokens the four shades begin. */
function quartiles(days: readonly Day[]): number[] {
  const sizes = days.flatMap(({ totals }) => (totals.totalTokens > 0 ? [totals.totalTokens] : [])).sort((a, b) => a - b)
  return [0, 0.25, 0.5, 0.75].map((share) => (share === 0 ? 0 : (sizes[Math.floor(sizes.length * share)] ?? 0)))
}
