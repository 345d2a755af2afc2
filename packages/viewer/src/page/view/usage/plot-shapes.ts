import type { UsagePoint } from "../../session/usage-points.js"

/** Longer pauses are shortened to this, so that they do not fill the plot. Milliseconds. */
const LONGEST_PAUSE = 10 * 60_000
/** The shortest distance between two calls. Milliseconds. */
const SHORTEST_STEP = 4_000

interface PlotScale {
  /** The position of each point, from 0 to 1. */
  readonly x: readonly number[]
  /** The positions of shortened pauses, from 0 to 1. */
  readonly pauses: readonly number[]
}

/** Places the points by time, with long pauses shortened. */
export function plotScale(points: readonly UsagePoint[]): PlotScale {
  const steps = points.map(({ time }, index) => {
    const before = points[index - 1]
    return before ? Math.max(SHORTEST_STEP, Math.min(time - before.time, LONGEST_PAUSE)) : 0
  })
  const total = steps.reduce((sum, step) => sum + step, 0) || 1
  let at = 0
  const x = steps.map((step) => {
    at += step
    return at / total
  })
  const pauses = points.flatMap(({ time }, index) => {
    const before = points[index - 1]
    return before && time - before.time > LONGEST_PAUSE ? ((x[index - 1] ?? 0) + (x[index] ?? 0)) / 2 : []
  })
  return { x, pauses }
}

export function nearestPoint(x: readonly number[], place: number): number {
  let low = 0
  let high = x.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((x[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low > 0 && place - (x[low - 1] ?? 0) < (x[low] ?? 0) - place ? low - 1 : low
}

export interface PlotSize {
  readonly width: number
  readonly height: number
}

/** The outline of the context size from call to call, which falls to that of the next call at a compaction. At most one step per pixel. */
export function contextShape(
  points: readonly UsagePoint[],
  x: readonly number[],
  most: number,
  size: PlotSize,
): string {
  const { width, height } = size
  const columns = new Map<number, number>()
  const falls = new Map<number, number>()
  points.forEach(({ context, isCompaction }, index) => {
    const column = Math.round((x[index] ?? 0) * width)
    if (isCompaction) falls.set(column, points.slice(index, index + 8).find((next) => next.context > 0)?.context ?? 0)
    columns.set(column, Math.max(columns.get(column) ?? 0, context))
  })
  const level = (context: number): number => round(height - (context / (most || 1)) * height)
  let path = `M0 ${height}`
  let last = 0
  let before = 0
  for (const [column, context] of columns) {
    const fall = falls.get(column)
    path += `L${column} ${level(context || before)}`
    if (fall !== undefined) path += `V${level(fall)}`
    before = fall ?? (context || before)
    last = column
  }
  return `${path}L${last} ${height}Z`
}

/** The accumulated cost, as steps. @param spent at each point. US dollars */
export function costShape(spent: readonly number[], x: readonly number[], most: number, size: PlotSize): string {
  const { width, height } = size
  let path = `M0 ${height}`
  let column = -1
  spent.forEach((amount, index) => {
    const at = Math.round((x[index] ?? 0) * width)
    if (at === column && index < spent.length - 1) return
    column = at
    path += `H${at}V${round(height - (amount / (most || 1)) * height)}`
  })
  return path
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
