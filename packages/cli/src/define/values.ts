// How the values of options are read.

/** A value that an option does not take. The parser of the command line knows it by its code, and says of which option it is. */
class InvalidValue extends Error {
  readonly code = "commander.invalidArgument"
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds of `90s`, `30m`, `12h`, `1d`, `2w` or `0`. @throws InvalidValue for anything else */
export function durationOption(text: string): number {
  if (text === "0") return 0
  const [, count, unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)([smhdw])$/.exec(text) ?? []
  const length = UNITS[unit]
  if (count === undefined || length === undefined)
    throw new InvalidValue("It must be a time such as 90s, 30m, 12h, 1d, 2w, or 0.")
  return Number(count) * length
}

const EXPONENTS: Readonly<Record<string, number>> = { "": 0, k: 1, m: 2, g: 3, t: 4 }

/** Bytes of `500mb`, `1.5g`, `200 KB` or `0`, by 1,000, and of `2GiB` by 1,024. @throws InvalidValue for anything else */
export function sizeOption(text: string): number {
  const [, count, unit = "", binary] = /^(\d{1,15}(?:\.\d{1,3})?) ?(?:([kmgt])(i)?)?b?$/i.exec(text.trim()) ?? []
  const exponent = EXPONENTS[unit.toLowerCase()]
  if (count === undefined || exponent === undefined)
    throw new InvalidValue("It must be a size such as 500mb, 2gb, or a number of bytes.")
  return Math.floor(Number(count) * (binary === undefined ? 1000 : 1024) ** exponent)
}

const MAX_PORT = 65_535

/** @throws InvalidValue for what is not a port; 0 means any that is free */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= MAX_PORT)) throw new InvalidValue("It must be a port from 1 to 65535, or 0 for one that is free.")
  return port
}

/** @throws InvalidValue for what is not a whole number from 0 to 999,999,999 */
export function wholeNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidValue("It must be a whole number from 0.")
  return Number(text)
}

/** @throws InvalidValue for what is not a whole number from 1 to 999,999,999 */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidValue("It must be a whole number from 1.")
  return Number(text)
}
