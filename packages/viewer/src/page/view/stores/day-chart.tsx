import { knownCost } from "@treelog/session-core/search"
import type { JSX } from "preact"
import { useMemo, useState } from "preact/hooks"
import { allDays, type Day, type SumRow, sizesOf, spansOfDays } from "../../stores/usage-sums.js"
import { readableLine } from "../../text/readable-text.js"
import { costText, dateText, dollarsText, tokensText } from "../format-values.js"

const HEIGHT = 100
/** Models with a colour of their own; the others are one. */
const MOST_MODELS = 5

/** Cost by day, or by weeks where there are many, stacked by model; tokens where no cost is known. The table beside it has the numbers. */
export function DayChart({ rows }: { readonly rows: readonly SumRow[] }): JSX.Element | null {
  const { spans: days, name } = useMemo(() => {
    const dated = rows.filter(({ key }) => key !== "")
    const [first, last] = [dated[0], dated.at(-1)]
    return spansOfDays(first && last ? allDays(dated, first.key, last.key) : [])
  }, [rows])
  const [at, setAt] = useState<number>()
  const hasCost = days.some(({ cost }) => knownCost(cost) > 0)
  const models = useMemo(() => largestModels(days, hasCost), [days, hasCost])
  if (days.length === 0) return null
  const most = roundedUp(Math.max(...sizesOf(days)))
  const shown = at === undefined ? undefined : days[at]
  const point = (event: MouseEvent): void => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect()
    setAt(Math.max(0, Math.min(days.length - 1, Math.floor(((event.clientX - left) / (width || 1)) * days.length))))
  }
  const text = (value: number): string => (hasCost ? dollarsText(value) : `${tokensText(value)} tokens`)
  return (
    <figure class="day-chart">
      <figcaption>
        <span>
          {hasCost ? "Cost" : "Tokens"} by {name}
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
          aria-label={`${hasCost ? "Cost" : "Tokens"} by ${name}, up to ${text(most)}`}
          viewBox={`0 0 ${days.length} ${HEIGHT}`}
          preserveAspectRatio="none"
          onPointerMove={point}
          onPointerLeave={() => setAt(undefined)}
        >
          {days.map((day, x) => (
            <g key={day.key} class={x === at ? "chosen" : ""}>
              {stackOf(day, models, hasCost, most).map(({ model, y, height }) => (
                <rect key={model} class={`model-${model}`} x={x + 0.1} y={y} width={0.8} height={height} />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <p class="day-ends faint" aria-hidden="true">
        <span>{dateText(days[0]?.key ?? "")}</span>
        <span>{dateText(days.at(-1)?.key ?? "")}</span>
      </p>
      <ul class="day-models">
        {models.map((model, number) => (
          <li key={model} class={`model-${number}`}>
            <bdi>{readableLine(model, 60)}</bdi>
          </li>
        ))}
      </ul>
    </figure>
  )
}

function amountOf({ cost, tokens }: Day["models"][number], hasCost: boolean): number {
  return hasCost ? knownCost(cost) : tokens
}

function largestModels(days: readonly Day[], hasCost: boolean): string[] {
  const sums = new Map<string, number>()
  for (const { models } of days)
    for (const one of models) sums.set(one.model, (sums.get(one.model) ?? 0) + amountOf(one, hasCost))
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_MODELS)
    .map(([model]) => model)
}

/** The bars of a day, from the bottom: those of the largest models by their numbers, then of all others. */
function stackOf(
  day: Day,
  models: readonly string[],
  hasCost: boolean,
  most: number,
): { readonly model: number; readonly y: number; readonly height: number }[] {
  const sums = new Array<number>(MOST_MODELS + 1).fill(0)
  for (const one of day.models) {
    const number = models.indexOf(one.model)
    const place = number === -1 ? MOST_MODELS : number
    sums[place] = (sums[place] ?? 0) + amountOf(one, hasCost)
  }
  let y = HEIGHT
  return sums.flatMap((sum, model) => {
    const height = most > 0 ? (sum / most) * HEIGHT : 0
    y -= height
    return height > 0 ? [{ model, y, height }] : []
  })
}

/** To an even number of a power of ten: where the scale ends. */
function roundedUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power
}
