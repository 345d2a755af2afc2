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
