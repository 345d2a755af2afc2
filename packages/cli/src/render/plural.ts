/** `1 entry`, `1,002 entries`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${withCommas(count)} ${count === 1 ? one : many}`
}

/** Tables of languages take longer to load than most commands take to run. */
function withCommas(count: number): string {
  return count < 1_000 ? String(count) : count.toLocaleString("en-US")
}
