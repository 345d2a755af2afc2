import type { Argument, Command, Option } from "commander"

/** What the last word of a command line may become. */
export interface Candidate {
  readonly value: string
  /** A short description, if any. */
  readonly description?: string
}

interface Completion {
  readonly kind: "words" | "files" | "folders"
  /** Where files or folders are asked for, the shell knows them. */
  readonly candidates: readonly Candidate[]
}

/** Finds what has to be looked up: stores, and sessions by the options of the line and the beginning of the word. */
export type LookUp = (
  what: "session" | "trashed" | "store",
  given: LinePosition["given"],
  word: string,
) => Promise<readonly Candidate[]>

const NOTHING: Completion = { kind: "words", candidates: [] }

/** Says what the last of the words may become. The first one is that behind `treelog`. */
export async function complete(program: Command, words: readonly string[], lookUp: LookUp): Promise<Completion> {
  const word = words.at(-1) ?? ""
  const before = words.slice(0, -1)
  if (before[0] === "help") return fitting(commandsOf(program, false), word)
  const position = positionIn(program, before)
  const { command, option, argument, takesCommand, takesOption, given } = position
  if (option) return valuesOf(option.argChoices, option.flags, { given, word, lookUp })
  if (takesOption && word.startsWith("-")) return fitting(flagsOf(command), word)
  if (takesCommand && command.commands.length > 0) return fitting(commandsOf(command, !command.parent), word)
  return argument ? valuesOf(argument.argChoices, `<${argument.name()}>`, { given, word, lookUp }) : NOTHING
}

function fitting(candidates: readonly Candidate[], word: string): Completion {
  return { kind: "words", candidates: candidates.filter(({ value }) => value.startsWith(word)) }
}

function commandsOf(command: Command, withHelp: boolean): Candidate[] {
  const commands = command.commands.map((child) => ({ value: child.name(), description: child.summary() }))
  return withHelp ? [...commands, { value: "help", description: "show the help of a command" }] : commands
}

function flagsOf(command: Command): Candidate[] {
  const flags = optionsOf(command).flatMap(({ long, description }) => (long ? { value: long, description } : []))
  return [...flags, { value: "--help", description: "show this help" }]
}

interface Question {
  readonly given: LinePosition["given"]
  readonly word: string
  readonly lookUp: LookUp
}

/** By the choices, or by what the help calls the value. */
async function valuesOf(
  choices: readonly string[] | undefined,
  flags: string,
  { given, word, lookUp }: Question,
): Promise<Completion> {
  if (choices)
    return fitting(
      choices.map((value) => ({ value })),
      word,
    )
  const [, what = ""] = /[<[]([a-z/]+)/.exec(flags) ?? []
  if (what === "folder") return { kind: "folders", candidates: [] }
  if (what === "place") return { kind: "folders", candidates: [] }
  if (what === "file" || what === "path") return { kind: "files", candidates: [] }
  if (what !== "session" && what !== "trashed" && what !== "store") return NOTHING
  if (/^[./~\\]/.test(word)) return { kind: what === "store" ? "folders" : "files", candidates: [] }
  return { kind: "words", candidates: await lookUp(what, given, word) }
}

/** The state of a command line before its last word. */
interface LinePosition {
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
function positionIn(program: Command, words: readonly string[]): LinePosition {
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

/** The options of a command, and those that it shares with the ones above it. */
export function optionsOf(command: Command): Option[] {
  const own = command.options.filter(({ hidden }) => !hidden)
  return command.parent ? [...own, ...optionsOf(command.parent)] : own
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}
