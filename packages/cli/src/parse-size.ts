const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

/** Bytes of `500mb`, `1.5g`, `200 KB` or `0`, by 1,024; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?) ?([kmgt]?)i?b?$/i.exec(text.trim()) ?? []
  const length = UNITS[unit.toLowerCase()]
  return count === undefined || length === undefined ? undefined : Math.floor(Number(count) * length)
}
