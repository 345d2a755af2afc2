import { readdirSync } from "node:fs"
import { COMMANDS, GLOBAL_OPTIONS, loadCommand } from "./door.js"

type CommandDefinition = Awaited<ReturnType<typeof loadCommand>>
export type PartDefinition = Omit<CommandDefinition, "job"> &
  ({ readonly run: unknown } | { readonly commands: Readonly<Record<string, PartDefinition>> })
export type OptionDefinition = (typeof GLOBAL_OPTIONS)[number]

/** A command of the program, by the words that run it. */
export interface TableRow {
  /** `blobs gc`. */
  readonly name: string
  readonly part: PartDefinition
}

const FOLDER = new URL("../src/commands/", import.meta.url)
const names = readdirSync(FOLDER).flatMap((name) => /^(.*)\.ts$/.exec(name)?.[1] ?? [])
const loaded = await Promise.all(names.map(async (name) => ({ name, command: await loadCommand(name) })))

/** In the list that there is, or behind the others of its job. */
function placeOf({ name, command }: (typeof loaded)[number]): number {
  const at = COMMANDS.findIndex(([, its]) => its === name)
  return at >= 0 ? at : COMMANDS.map(([job]) => job).lastIndexOf(command.job) + 0.5
}

/** The commands whose files are in `src/commands`, in the order of help. */
export const commands = loaded.sort((a, b) => placeOf(a) - placeOf(b))

/** Every command that there is: each group before what is under it. */
export const commandTable: readonly TableRow[] = commands.flatMap(({ name, command }) => [...rowsOf(name, command)])

/** The names of the commands that do something: `blobs` alone only shows its help. */
export function runnableCommands(): string[] {
  return commandTable.flatMap(({ name, part }) => ("run" in part ? name : []))
}

function* rowsOf(name: string, part: PartDefinition): Generator<TableRow> {
  yield { name, part }
  if ("commands" in part)
    for (const [child, its] of Object.entries(part.commands)) yield* rowsOf(`${name} ${child}`, its)
}

/** `-n` and `--limit` of each; without a command those that every one takes. */
export function flagsOf(part?: PartDefinition): string[] {
  const options: readonly OptionDefinition[] = part ? (part.options ?? []) : GLOBAL_OPTIONS
  return options.flatMap(([flags]) => flags.match(/(?<=^|, )--?[\w-]+/g) ?? [])
}
