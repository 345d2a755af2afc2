import type { Command } from "commander"
import { expect, test } from "vitest"
import { createProgram } from "../door.js"

function program(first?: string): Command {
  return createProgram(
    async () => {},
    () => {},
    first,
  )
}

function commandsOf(made: Command): string[] {
  return made.commands.map((command) => command.name())
}

/** Everything that can be described of a command, and of those under it. */
function described(command: Command | undefined): unknown {
  return command && [command.helpInformation(), command.commands.map(described)]
}

const all = program()

test.each(commandsOf(all))("%s is the same whether the others are made or not", (name) => {
  const command = (made: Command) => made.commands.find((one) => one.name() === name)
  expect(described(command(program(name)))).toEqual(described(command(all)))
})

test("a command is made without most of the others", () => {
  expect(commandsOf(program("list")).length).toBeLessThan(commandsOf(all).length / 2)
})

test("where the first word is no command, all are made: `help`, an option, a slip of the pen, a shell that completes", () => {
  for (const first of ["help", "--json", "lst", "completion"])
    expect(commandsOf(program(first))).toEqual(commandsOf(all))
})
