import { knownCost } from "@treelog/session-core/search"
import type { JSX } from "preact"
import { useMemo, useState } from "preact/hooks"
import type { SumPart, SumRow } from "../../source/sessions-client.js"
import { allDays, type Day, sizesOf, spansOfDays } from "../../stores/usage-sums.js"
import { costText, dateText, dollarsText, tokensText } from "../format-values.js"

const HEIGHT = 100
/** Parts with a colour of their own; the others are one. */
const MOST_PARTS = 5

export interface DayChartProps {
  readonly rows: readonly SumRow[]
  /** How the parts of the rows are shown, such as a folder. */
  readonly nameOf: (part: string) => string
}

/** Cost by day, or by weeks where there are many, stacked by its parts; tokens where no cost is known. The table beside it has the numbers. */
export function DayChart({ rows, nameOf }: DayChartProps): JSX.Element | null {
  const { spans: days, name } = useMemo(() => {
    const dated = rows.filter(({ key }) => key !== "")
    const [first, last] = [dated[0], dated.at(-1)]
    return spansOfDays(first && last ? allDays(dated, first.key, last.key) : [])
  }, [rows])
  const [at, setAt] = useState<number>()
  const hasCost = days.some(({ cost }) => knownCost(cost) > 0)
  const parts = useMemo(() => largestParts(days, hasCost), [days, hasCost])
  if (days.length === 0) return null
  const most = roundedUp(Math.max(...sizesOf(days)))
  const shown = at === undefined ? undefined : days[at]
  const point = (event: MouseEvent): void => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
    setAt(Math.max(0, Math.min(days.length - 1, Math.floor(((event.clientX - left) / (width || 1)) * days.length))))
  }
  const some = (kind: "reported" | "estimated"): boolean => days.some(({ cost }) => cost[kind] > 0)
  const cost = !some("estimated") ? "Cost" : some("reported") ? "Partly estimated cost" : "Estimated cost"
  const what = hasCost ? cost : "Tokens"
  const text = (value: number): string => (hasCost ? dollarsText(value) : `${tokensText(value)} tokens`)
  return (
    <figure class="day-chart">
      <figcaption>
        <span>
          {what} by {name}
        </span>
        <span class="faint">
          {shown &&
            `${name === "day" ? "" : "From "}${dateText(shown.key)}: ${costText(shown.cost)}, ${tokensText(shown.totals.totalTokens)} tokens`}
        </span>
      </figcaption>
      <div class="day-plot">
        <p class="day-scale faint" aria-hidden="true">
          {[1, 0.5, 0].map((share) => (
            <span key={share}>{text(most * share)}</span>
          ))}
        </p>
        <svg
          role="img"
          aria-label={`${what} by ${name}, up to ${text(most)}`}
          viewBox={`0 0 ${days.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          onPointerMove={point}
          onPointerLeave={() => setAt(undefined)}
        >
          {days.map((day, x) => (
            <g key={day.key} class={x === at ? "chosen" : ""}>
              {stackOf(day, parts, hasCost, most).map(({ place, y, height }) => (
                <rect key={place} class={`part-${place}`} x={x + 0.1} y={y} width={0.8} height={height} />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <p class="day-ends faint" aria-hidden="true">
        <span>{dateText(days[0]?.key ?? "")}</span>
        <span>{dateText(days.at(-1)?.key ?? "")}</span>
      </p>
      <ul class="day-parts">
        {parts
          .map((part, place) => (
            <li key={part} class={`part-${Math.min(place, MOST_PARTS)}`}>
              <bdi>{place < MOST_PARTS ? nameOf(part) : `${parts.length - MOST_PARTS} others`}</bdi>
            </li>
          ))
          .slice(0, MOST_PARTS + 1)}
      </ul>
    </figure>
  )
}

function amountOf({ cost, tokens }: SumPart, hasCost: boolean): number {
  return hasCost ? knownCost(cost) : tokens
}

/** By their sums, the largest first. */
function largestParts(days: readonly Day[], hasCost: boolean): string[] {
  const sums = new Map<string, number>()
  for (const { parts } of days)
    for (const one of parts) sums.set(one.name, (sums.get(one.name) ?? 0) + amountOf(one, hasCost))
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([name]) => name)
}

/** The bars of a day, from the bottom: those of the largest parts by their places, then of all others. */
function stackOf(
  day: Day,
  parts: readonly string[],
  hasCost: boolean,
  most: number,
): { readonly place: number; readonly y: number; readonly height: number }[] {
  const sums = new Array<number>(MOST_PARTS + 1).fill(0)
  for (const one of day.parts) {
    const place = Math.min(parts.indexOf(one.name), MOST_PARTS)
    if (place >= 0) sums[place] = (sums[place] ?? 0) + amountOf(one, hasCost)
  }
  let y = HEIGHT
  return sums.flatMap((sum, place) => {
    const height = most > 0 ? (sum / most) * HEIGHT : 0
    y -= height
    return height > 0 ? [{ place, y, height }] : []
  })
}

/** To a number that can be halved: where the scale ends. */
function roundedUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power
}
