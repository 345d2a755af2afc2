import type { LoadCommand, OptionDefinition, PartDefinition } from "../../define/command.js"
import { COMMANDS } from "../../define/command-list.js"
import { GLOBAL_OPTIONS } from "../../define/global-options.js"
import { EVERY } from "../../store/chosen-store.js"

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
export async function complete(load: LoadCommand, words: readonly string[], lookUp: LookUp): Promise<Completion> {
  const word = words.at(-1) ?? ""
  const before = words.slice(0, -1)
  if (before[0] === "help") return fitting(COMMAND_NAMES, word)
  const { part, option, argument, takesCommand, takesOption, given } = await positionIn(load, before)
  if (option) {
    const found = await valuesOf(option.choices, option.value, { given, word, lookUp })
    const also = option.long === "--store" && found.kind === "words" ? fitting([EVERY_STORE], word).candidates : []
    return { ...found, candidates: [...found.candidates, ...also] }
  }
  if (takesOption && word.startsWith("-"))
    return fitting(
      [
        ...optionsOf(part)
          .filter(({ isHidden }) => !isHidden)
          .map(flagOf),
        HELP_OPTION,
      ],
      word,
    )
  const commands = part === undefined ? [...COMMAND_NAMES, HELP_COMMAND] : partsOf(part)
  if (takesCommand && commands.length > 0) return fitting(commands, word)
  return argument ? valuesOf(argument.choices, argument.value, { given, word, lookUp }) : NOTHING
}

const COMMAND_NAMES: readonly Candidate[] = COMMANDS.map(([, value, description]) => ({ value, description }))
const HELP_COMMAND: Candidate = { value: "help", description: "show the help of a command" }
const HELP_OPTION: Candidate = { value: "--help", description: "show this help" }

const EVERY_STORE: Candidate = { value: EVERY, description: "those of all programs" }

function partsOf(part: PartDefinition): Candidate[] {
  if (!("commands" in part)) return []
  return Object.entries(part.commands).map(([value, { summary }]) => ({ value, description: summary }))
}

function fitting(candidates: readonly Candidate[], word: string): Completion {
  return { kind: "words", candidates: candidates.filter(({ value }) => value.startsWith(word)) }
}

interface Question {
  readonly given: LinePosition["given"]
  readonly word: string
  readonly lookUp: LookUp
}

/** By the choices, or by what the help calls the value. */
async function valuesOf(
  choices: readonly string[] | undefined,
  value: string,
  { given, word, lookUp }: Question,
): Promise<Completion> {
  if (choices)
    return fitting(
      choices.map((choice) => ({ value: choice })),
      word,
    )
  const [what = ""] = /^[a-z/]+/.exec(value) ?? []
  if (what === "folder" || what === "place") return { kind: "folders", candidates: [] }
  if (what === "file" || what === "path") return { kind: "files", candidates: [] }
  if (what !== "session" && what !== "trashed" && what !== "store") return NOTHING
  if (/^[./~\\]/.test(word)) return { kind: what === "store" ? "folders" : "files", candidates: [] }
  return { kind: "words", candidates: await lookUp(what, given, word) }
}

/** What help calls a value, such as `session...`, and what it may be. */
interface Value {
  readonly value: string
  readonly choices: readonly string[] | undefined
}

interface KnownOption extends Value {
  readonly short: string | undefined
  readonly long: string
  readonly help: string
  readonly isHidden: boolean
  /** As a command gets it: `dryRun` for `--dry-run`, `color` for `--no-color`. */
  readonly name: string
}

/** The state of a command line before its last word. */
interface LinePosition {
  /** Undefined where there is no command yet. */
  readonly part: PartDefinition | undefined
  readonly option: KnownOption | undefined
  /** The argument that comes next; undefined where none does. */
  readonly argument: Value | undefined
  /** Whether a command may come next. */
  readonly takesCommand: boolean
  /** Whether an option may come next: not behind `--`. */
  readonly takesOption: boolean
  /** The options so far, as they would be read. */
  readonly given: Readonly<Record<string, unknown>>
}

/** Reads the words before the last one, as the parser would, but for faults: what is not known is ignored. */
async function positionIn(load: LoadCommand, words: readonly string[]): Promise<LinePosition> {
  let part: PartDefinition | undefined
  let option: KnownOption | undefined
  let count = 0
  let isOpen = true
  const given: Record<string, unknown> = {}
  for (const word of words) {
    if (option) {
      given[option.name] = word
      option = undefined
    } else if (isOpen && word === "--") isOpen = false
    else if (isOpen && word.startsWith("-") && word !== "-") {
      const [flag = "", value] = word.split("=", 2)
      const known = optionsOf(part).find(({ short, long }) => flag === short || flag === long)
      if (known && known.value !== "" && value === undefined) option = known
      else if (known) given[known.name] = known.value !== "" ? value : !known.long.startsWith("--no-")
    } else {
      const next = count === 0 ? await partNamed(load, part, word) : undefined
      if (next) part = next
      else count += 1
    }
  }
  const all = part?.arguments ?? []
  const last = all.at(-1)
  const [value, , more] = all[count] ?? (last?.[0].includes("...") ? last : [])
  const argument = value === undefined ? undefined : { value: value.slice(1), choices: more?.choices }
  return { part, option, argument, takesCommand: count === 0, takesOption: isOpen, given }
}

async function partNamed(
  load: LoadCommand,
  part: PartDefinition | undefined,
  word: string,
): Promise<PartDefinition | undefined> {
  if (part !== undefined)
    return "commands" in part && Object.hasOwn(part.commands, word) ? part.commands[word] : undefined
  return COMMANDS.some(([, name]) => name === word) ? load(word) : undefined
}

/** The options of the command, and the options that every command has. */
function optionsOf(part: PartDefinition | undefined): KnownOption[] {
  return [...(part?.options ?? []), ...GLOBAL_OPTIONS].flatMap(([flags, help, more]: OptionDefinition) => {
    const [, short, long, value] = /^(?:(-\w), )?(--[\w-]+)(?: [<[](.+)[\]>])?$/.exec(flags) ?? []
    if (long === undefined) return []
    const name = long.replace(/^--(no-)?/, "").replace(/-[a-z]/g, ([, letter = ""]) => letter.toUpperCase())
    return { short, long, help, name, value: value ?? "", choices: more?.choices, isHidden: more?.isHidden ?? false }
  })
}

function flagOf({ long, help }: KnownOption): Candidate {
  return { value: long, description: help }
}
