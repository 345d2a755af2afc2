import type { Command } from "commander"
import { createProgram } from "./door.js"

/** A command of the program, by the words that run it. */
export interface TableRow {
  /** `blobs gc`; empty for the program itself. */
  readonly name: string
  readonly command: Command
}

/** Every command that there is, as it is registered: the program first, each group before what is under it. */
export function commandTable(): TableRow[] {
  return [
    ...rowsOf(
      createProgram(
        async () => {},
        () => {},
      ),
      "",
    ),
  ]
}

/** The names of the commands that do something: `blobs` alone only shows its help. */
export function runnableCommands(): string[] {
  return commandTable().flatMap(({ name, command }) => (name !== "" && runs(command) ? name : []))
}

function* rowsOf(command: Command, name: string): Generator<TableRow> {
  yield { name, command }
  for (const child of command.commands) yield* rowsOf(child, `${name} ${child.name()}`.trim())
}

/** commander keeps it to itself. */
function runs(command: Command): boolean {
  return (command as unknown as { _actionHandler: unknown })._actionHandler !== null
}
