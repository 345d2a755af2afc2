/** Three digits that mean something; whole numbers as they are. */
export function digits(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en")
  const size = Math.abs(value)
  if (size >= 1_000) return Math.round(value).toLocaleString("en")
  if (size >= 100) return value.toFixed(0)
  return size >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** A figure with its unit. What a work measured on its own has none but in its name. */
export function inWords(figure: string, value: number): string {
  if (figure === "peakRss") return `${digits(value / 1e6)} MB`
  return figure === "ms" || figure === "cpuMs" || figure === "sinceStartMs" ? `${digits(value)} ms` : digits(value)
}
