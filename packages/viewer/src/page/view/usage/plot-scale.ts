import type { UsagePoint } from "../../session/usage-points.js"

/** Longer pauses are shortened to this, so that they do not fill the plot. Milliseconds. */
const LONGEST_PAUSE = 10 * 60_000
/** The shortest distance between two calls. Milliseconds. */
const SHORTEST_STEP = 4_000

export interface PlotScale {
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
