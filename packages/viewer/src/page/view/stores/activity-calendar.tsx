import type { JSX } from "preact"
import { useMemo, useState } from "preact/hooks"
import { allDays, type Day, type SumRow } from "../../stores/usage-sums.js"
import { costText, dateText, plural, tokensText } from "../format-values.js"

const WEEKS = 53
/** A day, with its gap. */
const STEP = 12
const SIDE = 10

/** Tokens of each day of a year, as shades: a column for each week, from Monday. */
export function ActivityCalendar({ rows }: { readonly rows: readonly SumRow[] }): JSX.Element {
  const days = useMemo(() => daysOfYear(rows), [rows])
  const [at, setAt] = useState<number>()
  const limits = useMemo(() => quartiles(days), [days])
  const active = days.filter(({ totals }) => totals.calls > 0).length
  const shown = at === undefined ? undefined : days[at]
  const point = (event: MouseEvent): void => {
    const { left, top, width, height } = (event.currentTarget as Element).getBoundingClientRect()
    const week = Math.floor(((event.clientX - left) / (width || 1)) * WEEKS)
    const day = week * 7 + Math.floor(((event.clientY - top) / (height || 1)) * 7)
    setAt(day >= 0 && day < days.length ? day : undefined)
  }
  return (
    <figure class="calendar">
      <figcaption>
        <span>Activity in a year</span>
        <span class="faint">
          {shown
            ? `${dateText(shown.key)}: ${plural(shown.totals.calls, "call")}, ${tokensText(shown.totals.totalTokens)} tokens, ${costText(shown.totals.cost)}`
            : plural(active, "day")}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`Calendar of the last year: ${plural(active, "day")} with activity`}
        viewBox={`0 0 ${WEEKS * STEP} ${7 * STEP}`}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
      >
        {days.map(({ key, totals }, day) => (
          <rect
            key={key}
            class={`shade-${limits.filter((limit) => totals.totalTokens > limit).length}${day === at ? " chosen" : ""}`}
            x={Math.floor(day / 7) * STEP + 1}
            y={(day % 7) * STEP + 1}
            width={SIDE}
            height={SIDE}
            rx={2}
          />
        ))}
      </svg>
    </figure>
  )
}

/** From a Monday a year ago until today. */
function daysOfYear(rows: readonly SumRow[]): Day[] {
  const now = new Date()
  const today = localDay(now)
  const monday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - ((now.getDay() + 6) % 7) - 7 * (WEEKS - 1))
  return allDays(rows, localDay(monday), today)
}

/** `2026-11-23`, as the index names days. */
function localDay(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0")
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Above which tokens the four shades begin. */
function quartiles(days: readonly Day[]): number[] {
  const sizes = days.flatMap(({ totals }) => (totals.totalTokens > 0 ? [totals.totalTokens] : [])).sort((a, b) => a - b)
  return [0, 0.25, 0.5, 0.75].map((share) => (share === 0 ? 0 : (sizes[Math.floor(sizes.length * share)] ?? 0)))
}
