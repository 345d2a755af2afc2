import type { JSX } from "preact"
import { useMemo, useState } from "preact/hooks"
import { allDays, type SumRow } from "../../stores/usage-sums.js"
import { costText, dateText, plural, tokensText } from "../format-values.js"

const HEIGHT = 100

/** Cost by day, or tokens where nothing cost anything. The table beside it has the numbers. */
export function DayChart({ rows }: { readonly rows: readonly SumRow[] }): JSX.Element | null {
  const days = useMemo(() => {
    const dated = rows.filter(({ key }) => key !== "")
    const [first, last] = [dated[0], dated.at(-1)]
    return first && last ? allDays(dated, first.key, last.key) : []
  }, [rows])
  const [at, setAt] = useState<number>()
  if (days.length === 0) return null
  const hasCost = days.some(({ totals }) => totals.cost > 0)
  const sizes = days.map(({ totals }) => (hasCost ? totals.cost : totals.totalTokens))
  const most = Math.max(...sizes)
  const shown = at === undefined ? undefined : days[at]
  const point = (event: MouseEvent): void => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
    setAt(Math.max(0, Math.min(days.length - 1, Math.floor(((event.clientX - left) / (width || 1)) * days.length))))
  }
  const text = (value: number): string => (hasCost ? costText(value) : `${tokensText(value)} tokens`)
  return (
    <figure class="day-chart">
      <figcaption>
        <span>{hasCost ? "Cost" : "Tokens"} by day</span>
        <span class="faint">
          {shown
            ? `${dateText(shown.key)}: ${costText(shown.totals.cost)}, ${tokensText(shown.totals.totalTokens)} tokens`
            : `up to ${text(most)}`}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`${hasCost ? "Cost" : "Tokens"} of ${plural(days.length, "day")}, up to ${text(most)} a day`}
        viewBox={`0 0 ${days.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
      >
        {sizes.map((size, day) => {
          const height = most > 0 ? (size / most) * HEIGHT : 0
          return (
            <rect
              key={days[day]?.key}
              class={day === at ? "chosen" : ""}
              x={day + 0.1}
              y={HEIGHT - height}
              width={0.8}
              height={height}
            />
          )
        })}
      </svg>
      <p class="day-ends faint" aria-hidden="true">
        <span>{dateText(days[0]?.key ?? "")}</span>
        <span>{dateText(days.at(-1)?.key ?? "")}</span>
      </p>
    </figure>
  )
}
