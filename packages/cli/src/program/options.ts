import { InvalidArgumentError } from "commander"

/** The options of every command, as commander reads them. */
export interface GlobalOptions {
  /** A program, a folder or an address. */
  readonly store?: string
  readonly agentDir?: string
  readonly sessionDir?: string
  /** Where images and long texts are, a folder or an address; default: where the session's are. */
  readonly blobs?: string
  /** The folder whose sessions are meant; default: the current one. */
  readonly cwd?: string
  /** Search every folder. */
  readonly all?: boolean
  readonly json?: boolean
  /** False after `--no-color`. */
  readonly color?: boolean
  /** False after `--no-pager`. */
  readonly pager?: boolean
  /** False after `--no-input`: ask nothing. */
  readonly input?: boolean
  readonly quiet?: boolean
  readonly debug?: boolean
}

/** The options of every command that changes a stored session as a whole. */
export interface ChangeCommandOptions {
  /** Print what would change, and change nothing. */
  readonly dryRun?: boolean
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds of `90s`, `30m`, `12h`, `1d`, `2w` or `0`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (text === "0") return 0
  const [, count, unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)([smhdw])$/.exec(text) ?? []
  const length = UNITS[unit]
  return count === undefined || length === undefined ? undefined : Number(count) * length
}

const EXPONENTS: Readonly<Record<string, number>> = { "": 0, k: 1, m: 2, g: 3, t: 4 }

/** Bytes of `500mb`, `1.5g`, `200 KB` or `0`, by 1,000, and of `2GiB` by 1,024; undefined for anything else. */
export function parseSize(text: string): number | undefined {
  const [, count, unit = "", binary] = /^(\d{1,15}(?:\.\d{1,3})?) ?(?:([kmgt])(i)?)?b?$/i.exec(text.trim()) ?? []
  const exponent = EXPONENTS[unit.toLowerCase()]
  if (count === undefined || exponent === undefined) return undefined
  return Math.floor(Number(count) * (binary === undefined ? 1000 : 1024) ** exponent)
}

/** Milliseconds. @throws InvalidArgumentError for what is not a duration */
export function durationOption(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined) throw new InvalidArgumentError("It must be a time such as 90s, 30m, 12h, 1d, 2w, or 0.")
  return ms
}

const MAX_PORT = 65_535

/** @throws InvalidArgumentError for what is not a port; 0 means any that is free */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= MAX_PORT))
    throw new InvalidArgumentError("It must be a port from 1 to 65535, or 0 for one that is free.")
  return port
}

/** @throws InvalidArgumentError for what is not a whole number from 0 to 999,999,999 */
export function wholeNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 0.")
  return Number(text)
}

/** @throws InvalidArgumentError for what is not a whole number from 1 to 999,999,999 */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.")
  return Number(text)
}
