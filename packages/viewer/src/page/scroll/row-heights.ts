/**
 * The heights of many rows, most of them estimated, and the position of each row. A Fenwick tree: reads and changes take
 * logarithmic time.
 */
export class RowHeights {
  readonly count: number
  readonly #heights: Float64Array
  readonly #sums: Float64Array

  /** @param estimate the height of a row that has not been measured, in CSS pixels */
  constructor(count: number, estimate: (row: number) => number) {
    this.count = count
    this.#heights = new Float64Array(count)
    this.#sums = new Float64Array(count + 1)
    for (let row = 0; row < count; row++) this.#heights[row] = estimate(row)
    for (let node = 1; node <= count; node++) {
      this.#sums[node] = (this.#sums[node] ?? 0) + (this.#heights[node - 1] ?? 0)
      const parent = node + (node & -node)
      if (parent <= count) this.#sums[parent] = (this.#sums[parent] ?? 0) + (this.#sums[node] ?? 0)
    }
  }

  /** The height of all rows. */
  get total(): number {
    return this.top(this.count)
  }

  height(row: number): number {
    return this.#heights[row] ?? 0
  }

  /** The position of a row: the height of all rows above it. */
  top(row: number): number {
    let sum = 0
    for (let node = Math.min(row, this.count); node > 0; node -= node & -node) sum += this.#sums[node] ?? 0
    return sum
  }

  /** The row at a position; the last one for positions after all rows. */
  rowAt(place: number): number {
    let node = 0
    let left = place
    for (let step = 1 << (31 - Math.clz32(this.count | 1)); step > 0; step >>= 1) {
      const next = node + step
      if (next > this.count || (this.#sums[next] ?? 0) > left) continue
      node = next
      left -= this.#sums[next] ?? 0
    }
    return Math.max(0, Math.min(node, this.count - 1))
  }

  /** Records a measured height. @returns by how much the row grew */
  set(row: number, height: number): number {
    const change = height - this.height(row)
    if (change === 0 || row < 0 || row >= this.count) return 0
    this.#heights[row] = height
    for (let node = row + 1; node <= this.count; node += node & -node)
      this.#sums[node] = (this.#sums[node] ?? 0) + change
    return change
  }
}
