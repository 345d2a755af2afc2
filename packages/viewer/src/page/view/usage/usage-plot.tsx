import { type Cost, costOf, knownCost, sumOfCosts } from "@treelog/session-core/search"
import type { JSX } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { CallPrices } from "../../session/call-prices.js"
import type { UsagePoint } from "../../session/usage-points.js"
import { costText, momentText, plural, tokensText } from "../format-values.js"
import { useChanges } from "../state/use-changes.js"
import { useViewer } from "../state/viewer-context.js"
import { contextShape, costShape, nearestPoint, plotScale } from "./plot-shapes.js"

const HEIGHT = 72

/** A plot of context size and cost over time. Usable by keys and mouse; points link to their entries. */
export function UsagePlot(): JSX.Element {
  const viewer = useViewer()
  const { usage } = viewer.branch
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [at, setAt] = useState<number>()
  const scale = useMemo(() => plotScale(usage), [usage])
  const mostTokens = useMemo(() => usage.reduce((most, { context }) => Math.max(most, context), 0), [usage])
  const spent = useMemo(() => spentAt(usage, viewer.prices), [usage, viewer.prices.version])
  const all = spent.at(-1) ?? costOf([])
  const mostCost = knownCost(all)
  const size = { width, height: HEIGHT }
  const context = useMemo(() => contextShape(usage, scale.x, mostTokens, size), [usage, width])
  const cost = useMemo(() => costShape(spent.map(knownCost), scale.x, mostCost, size), [spent, width])
  const compactions = usage.filter(({ isCompaction }) => isCompaction).length
  const shown = at === undefined ? undefined : usage[at]
  const point = (event: MouseEvent): void => {
    const left = box.current?.getBoundingClientRect().left ?? 0
    setAt(nearestPoint(scale.x, (event.clientX - left) / (width || 1)))
  }
  const press = (event: KeyboardEvent): void => {
    const go = KEYS[event.key]
    if (go) setAt(Math.max(0, Math.min(usage.length - 1, go(at ?? usage.length - 1, usage.length))))
    else if (event.key === "Enter" && shown) viewer.goTo(shown.ordinal)
    else return
    event.preventDefault()
  }
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-key context">Context size, up to {tokensText(mostTokens)} tokens</span>
        {mostCost > 0 && <span class="plot-key cost">Cost of this branch, {costText(all)}</span>}
        {compactions > 0 && <span class="plot-key compaction">{plural(compactions, "compaction")}</span>}
        <span class="plot-text">{shown && pointText(shown, spent[at ?? 0])}</span>
      </figcaption>
      <div
        ref={box}
        class="plot-box"
        role="slider"
        tabIndex={0}
        aria-label="Tokens and cost over time"
        aria-valuemin={1}
        aria-valuemax={usage.length}
        aria-valuenow={(at ?? usage.length - 1) + 1}
        aria-valuetext={pointText(usage[at ?? usage.length - 1], spent[at ?? usage.length - 1])}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onClick={() => shown && viewer.goTo(shown.ordinal, { focus: false })}
        onKeyDown={press}
        onBlur={() => setAt(undefined)}
      >
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${Math.max(width, 1)} ${HEIGHT}`} aria-hidden="true">
          <SeenBand x={scale.x} width={width} />
          {scale.pauses.map((x) => (
            <path key={x} class="plot-pause" d={`M${x * width} 0V${HEIGHT}`} />
          ))}
          <path class="plot-context" d={context} />
          {usage.map(
            ({ isCompaction, ordinal }, index) =>
              isCompaction && (
                <path key={ordinal} class="plot-compaction" d={`M${(scale.x[index] ?? 0) * width} 0V${HEIGHT}`} />
              ),
          )}
          {mostCost > 0 && <path class="plot-cost" d={cost} />}
          {at !== undefined && <path class="plot-at" d={`M${(scale.x[at] ?? 0) * width} 0V${HEIGHT}`} />}
        </svg>
      </div>
    </figure>
  )
}

const KEYS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 10,
  PageDown: (at) => at - 10,
  Home: () => 0,
  End: (_, count) => count - 1,
}

function spentAt(usage: readonly UsagePoint[], prices: CallPrices): Cost[] {
  let sum = costOf([])
  return usage.map(({ usages }) => {
    sum = sumOfCosts([sum, prices.costOf(usages)])
    return sum
  })
}

function pointText(point: UsagePoint | undefined, spent = costOf([])): string {
  if (!point) return ""
  const what = point.isCompaction ? "Compaction" : `context of ${tokensText(point.context)} tokens`
  const time = point.time > 0 ? `${momentText(new Date(point.time).toISOString())}: ` : ""
  return `${time}${what}; ${costText(spent)} so far`
}

/** The visible part of the branch. */
function SeenBand({ x, width }: { readonly x: readonly number[]; readonly width: number }): JSX.Element | null {
  const { seen, branch } = useViewer()
  const { usage, rows } = branch
  useChanges(seen)
  const places = useMemo(() => usage.map(({ ordinal }) => rows.rowOf.get(ordinal) ?? 0), [usage, rows])
  if (seen.first === undefined || seen.last === undefined) return null
  const first = nearestPoint(places, rows.rowOf.get(seen.first) ?? 0)
  const last = nearestPoint(places, rows.rowOf.get(seen.last) ?? 0)
  const left = (x[first] ?? 0) * width
  const right = (x[last] ?? 0) * width
  return <rect class="plot-seen" x={left - 2} y={0} width={Math.max(4, right - left + 4)} height={HEIGHT} />
}

function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!box.current) return undefined
    const sizes = new ResizeObserver(([size]) => setWidth(Math.floor(size?.contentRect.width ?? 0)))
    sizes.observe(box.current)
    return () => sizes.disconnect()
  }, [])
  return width
}
