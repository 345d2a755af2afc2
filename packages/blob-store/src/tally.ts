/** How many, and how many bytes in all. */
export interface Tally {
  readonly count: number
  readonly bytes: number
}

export function tallyOf(files: Iterable<{ readonly size: number }>): Tally {
  let [count, bytes] = [0, 0]
  for (const { size } of files) {
    count += 1
    bytes += size
  }
  return { count, bytes }
}
