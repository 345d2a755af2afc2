import type { Argument, Command, Option } from "commander"

/** Where a command line stands before its last word. */
export interface LinePosition {
  readonly command: Command
  /** The option whose value comes next. */
  readonly option: Option | undefined
  /** The argument that comes next; undefined where none does. */
  readonly argument: Argument | undefined
  /** Whether a command may come next. */
  readonly takesCommand: boolean
  /** Whether an option may come next: not behind `--`. */
  readonly takesOption: boolean
  /** The options so far, as they would be read. */
  readonly given: Readonly<Record<string, unknown>>
}

/** Reads the words before the last one, as commander would, but for faults: what is not known is passed over. */
export function positionIn(program: Command, words: readonly string[]): LinePosition {
  let command = program
  let option: Option | undefined
  let count = 0
  let isOpen = true
  const given: Record<string, unknown> = {}
  for (const word of words) {
    if (option) {
      given[option.attributeName()] = word
      option = undefined
    } else if (isOpen && word === "--") isOpen = false
    else if (isOpen && word.startsWith("-") && word !== "-") {
      const [flag = "", value] = word.split("=", 2)
      const known = optionsOf(command).find(({ short, long }) => flag === short || flag === long)
      if (known && takesValue(known) && value === undefined) option = known
      else if (known) given[known.attributeName()] = takesValue(known) ? value : !known.negate
    } else {
      const next = count === 0 ? command.commands.find((child) => child.name() === word) : undefined
      if (next) command = next
      else count += 1
    }
  }
  const { registeredArguments: all } = command
  const last = all.at(-1)
  const argument = all[count] ?? (last?.variadic ? last : undefined)
  return { command, option, argument, takesCommand: count === 0, takesOption: isOpen, given }
}

/** Those of the command, and those that it shares with the ones above it. */
export function optionsOf(command: Command): Option[] {
  const own = command.options.filter(({ hidden }) => !hidden)
  return command.parent ? [...own, ...optionsOf(command.parent)] : own
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}
