export interface Figures {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function figuresOf(values: readonly number[]): Figures {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number): number => {
    const value = sorted[index]
    if (value === undefined) throw new RangeError("There are no figures of nothing.")
    return value
  }
  const middle = Math.floor(sorted.length / 2)
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}
