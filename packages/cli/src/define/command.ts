// What a file in commands/ exports as `command`. It is data alone: the parser, --help, the manual page, the README and completion are made of it.

import type { ExitCode } from "../errors/exit-codes.js"
import type { CommandContext } from "../io/command-context.js"

/** What people do with treelog, in the order of `treelog --help`. The last is not on its screen. */
export const JOBS = ["find", "read", "go on", "share", "count", "keep in order", "in scripts"] as const

/** A command, such as `list` or `blobs`. */
export type CommandDefinition = PartDefinition & {
  readonly job: (typeof JOBS)[number]
  /**
   * Where people or scripts wait for it often: it is bundled as one file, with what it uses of the packages, and with these files below `src`, which
   * are imported when they are needed, and by this command nearly always.
   */
  readonly bundledWith?: readonly string[]
}

/** A command, or one under it, such as `blobs ls`. */
export type PartDefinition = Described &
  ({ readonly run: Work } | { readonly commands: Readonly<Record<string, PartDefinition>> })

interface Described {
  /** One line, for lists of commands. */
  readonly summary: string
  readonly description: string
  /** A command line and what it does, the most frequent use first. */
  readonly examples: readonly (readonly [line: string, what: string])[]
  readonly arguments?: readonly ArgumentDefinition[]
  readonly options?: readonly OptionDefinition[]
  /** The last lines of --help. */
  readonly notes?: string
}

/** `<session>`, `[session]` where it can be left out, `[session...]` where there can be several. */
export type ArgumentDefinition = readonly [name: string, help: string, more?: { readonly choices: readonly string[] }]

/** `-n, --limit <count>`, what it does, and how its value is read. */
export type OptionDefinition = readonly [flags: string, help: string, more?: OptionValue]

interface OptionValue {
  /** @throws InvalidValue */
  readonly parse?: (text: string) => unknown
  readonly choices?: readonly string[]
  readonly default?: unknown
  /** The default as help shows it. */
  readonly shownDefault?: string
  /** The value where the option is given without one. */
  readonly preset?: string
  /** The values are collected. */
  readonly isRepeatable?: boolean
  readonly isRequired?: boolean
  /** It is understood, and neither help nor completion has it. */
  readonly isHidden?: boolean
  /** The name of an option that it excludes. */
  readonly conflicts?: string
}

/** What a command does. It gets its arguments, its options, and how to load other commands. */
export type Work = (context: CommandContext, ...given: never[]) => Promise<ExitCode>

export type LoadCommand = (name: string) => Promise<CommandDefinition>

// Arguments and options that several commands share.

export const SESSION = "path of a session file, id, start or end of an id, name, @last or @-2"
export const NEWEST_OR = `${SESSION} (default: @last)`
export const ENTRY = "id of an entry, or its start"
export const INSTRUCTIONS = "what the summary should focus on"
export const SINCE_SESSION = "with a message since then: 2026-11-23, 30d, yesterday, last week"
export const UNTIL_SESSION = "without a later message"
export const SINCE = "from then on: 2026-11-23, 30d, yesterday, last week"
export const UNTIL = "up to then"
export const DRY_RUN = "print what would change, and change nothing"
export const WITH =
  "go on in claude-code, codex, copilot, gemini, opencode, qwen, pi, omp or xcsh, with a copy of the session where it is of another agent"

const PRINTED = ["path", "id"]

/** What is printed of a session instead of going on with it. */
export const PRINT: OptionDefinition = [
  "--print [what]",
  "print its path or id, and run nothing",
  { choices: PRINTED, preset: "path" },
]

/** Gives `--print` its preset where what follows is none of its values, but the session or the text that is meant. */
export function withPrinted(argv: readonly string[]): string[] {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length
  const isAlone = (at: number) => argv[at] === "--print" && at < end && !PRINTED.includes(argv[at + 1] ?? "")
  return argv.map((one, at) => (isAlone(at) ? `--print=${PRINTED[0]}` : one))
}

/** How long a command that summarizes may take. */
export const TIMEOUT: OptionDefinition = [
  "--timeout <duration>",
  "time limit for the command; 0 for none",
  { parse: durationOption, default: 600_000, shownDefault: "10m" },
]

export interface ChangeCommandOptions {
  /** Print what would change, and change nothing. */
  readonly dryRun?: boolean
}

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
