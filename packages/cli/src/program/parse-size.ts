const EXPONENTS: Readonly<Record<string, number>> = { "": 0, k: 1, m: 2, g: 3, t: 4 }

/** Bytes of `500mb`, `1.5g`, `200 KB` or `0`, by 1,000, and of `2GiB` by 1,024; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const [, count, unit = "", binary] = /^(\d{1,15}(?:\.\d{1,3})?) ?(?:([kmgt])(i)?)?b?$/i.exec(text.trim()) ?? []
  const exponent = EXPONENTS[unit.toLowerCase()]
  if (count === undefined || exponent === undefined) return undefined
  return Math.floor(Number(count) * (binary === undefined ? 1000 : 1024) ** exponent)
}
