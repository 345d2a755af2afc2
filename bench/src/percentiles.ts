/** The figures of many times, in milliseconds: in the middle, and that of one in twenty. */
export function percentiles(times: readonly number[]): Readonly<Record<"p50 ms" | "p95 ms", number>> {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { "p50 ms": at(0.5), "p95 ms": at(0.95) }
}
