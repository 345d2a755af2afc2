const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds of `90s`, `30m`, `12h`, `1d`, `2w` or `0`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0
  const [, count, unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)([smhdw])$/.exec(text) ?? []
  const length = UNITS[unit]
  return count === undefined || length === undefined ? undefined : Number(count) * length
}
