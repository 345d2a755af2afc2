/** `999`, `1,002`: how every count is printed. */
export function numberText(count: number): string {
  // Tables of languages take longer to load than most commands take to run.
  return Math.abs(count) < 1_000 ? String(count) : count.toLocaleString("en-US")
}
