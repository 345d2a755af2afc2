import type { UsagePoint } from "../../session/usage-points.js"

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
