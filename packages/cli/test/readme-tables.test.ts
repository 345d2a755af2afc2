import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { commandTable, flagsOf, type PartDefinition, runnableCommands } from "./command-table.js"
import { GLOBAL_OPTIONS } from "./door.js"

// The tables of README.md name what there is, by the definitions of the commands; readme.slow.test.ts runs their command lines.

const textOf = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8")
const README = textOf("../README.md")

/** The cells of the rows of the table that follows a text. */
function rowsAfter(text: string): string[][] {
  const table =
    README.slice(README.indexOf(text))
      .trimStart()
      .split("\n\n")
      .find((part) => part.startsWith("|")) ?? ""
  return table.split("\n").map((line) => line.slice(1, -1).split(/(?<!\\)\|/))
}

const spansIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)
const flagsIn = (text: string): string[] => text.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? []

/** The command that a line runs. */
function commandOf(line: string): { name: string; part: PartDefinition } | undefined {
  const words = line.split(" ").slice(1)
  const named = (count: number) => commandTable.find(({ name }) => name === words.slice(0, count).join(" "))
  return named(2) ?? named(1)
}

const rows = rowsAfter("\n## Commands").flatMap(([line = "", what = ""]) => {
  const [first = ""] = spansIn(line)
  return first.startsWith("treelog ") ? [{ first, spans: [...spansIn(line), ...spansIn(what)] }] : []
})

test.each(rows)("the row of `$first` names options that the command has", ({ first, spans }) => {
  const { name, part } = commandOf(first) ?? {}
  expect(name).toBeDefined()
  // A span may show another command.
  const own = spans.filter((span) => !span.startsWith("treelog ") || commandOf(span)?.name === name)
  const known = new Set([...flagsOf(part), ...flagsOf(), "--help"])
  expect(own.flatMap(flagsIn).filter((flag) => !known.has(flag))).toEqual([])
})

test("every command has a row", () => {
  const named = new Set(rows.flatMap(({ spans }) => spans.flatMap((span) => commandOf(span)?.name ?? [])))
  expect(runnableCommands().filter((name) => !named.has(name))).toEqual([])
})

test("the options of every command are those of the table", () => {
  const shown = rowsAfter("\n| option | |").flatMap(([flags = ""]) => spansIn(flags).flatMap(flagsIn))
  const all = GLOBAL_OPTIONS.filter(([, , more]) => !more?.isHidden).flatMap(([flags]) => flagsIn(flags))
  expect(shown.sort()).toEqual(all.sort())
})

test("the README of the project names every command", () => {
  const tour = textOf("../../../README.md").split("## The command")[1]?.split("\n## ")[0] ?? ""
  const named = new Set([...tour.matchAll(/`treelog ([a-z ]+)`/g)].map(([, name]) => name))
  expect(runnableCommands().filter((name) => !named.has(name))).toEqual([])
})
