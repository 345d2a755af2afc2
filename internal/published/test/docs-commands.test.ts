import { describe, expect, test } from "vitest"
import { commandTable, runnableCommands } from "../../../packages/cli/test/command-table.js"
import { codeSpans, pages, proseOf } from "./docs-pages.js"
import { readText } from "./repository.js"

/** Every command with the options that it takes, those of the program among them. */
const table = commandTable().map(({ name, command }) => ({ name, flags: flagsOf(command) }))
const everywhere = new Set(["--help", "-h", ...(table[0]?.flags ?? [])])
const anywhere = new Set(table.flatMap(({ flags }) => flags))

function flagsOf(command: ReturnType<typeof commandTable>[number]["command"]): string[] {
  const own = command.options.flatMap(({ long, short }) => [long, short])
  const ofGroup = command.parent?.parent ? flagsOf(command.parent) : []
  return [...own.filter((flag) => flag != null), ...ofGroup] as string[]
}

/** The command lines of a page, in the text and in code blocks. */
function commandLines(page: string): string[] {
  const blocks = [...readText(page).matchAll(/^```(?:sh|console)?\n(.*?)^```/gms)].map(([, code = ""]) => code)
  const inBlocks = blocks.flatMap((code) => [
    ...[...code.matchAll(/^(?:\$ )?(treelog|npm start --) ([^\n#]*)/gm)].map(([, start, rest]) => `${start} ${rest}`),
    ...[...code.matchAll(/\$\((treelog [^)]*)\)/g)].map(([, line = ""]) => line),
  ])
  return [...codeSpans(page), ...inBlocks].flatMap((span) => /^(?:treelog|npm start --) (.*)$/s.exec(span)?.[1] ?? [])
}

/** The command that a line means: `blobs gc` of `blobs gc --apply`. */
function commandOf(line: string) {
  const words = line.trim().split(/\s+/)
  const named = [words.slice(0, 2).join(" "), words[0] ?? ""]
  return table.find(({ name }) => name !== "" && name === named[0]) ?? table.find(({ name }) => name === named[1])
}

test("the command table has commands and global options", () => {
  expect(table.map(({ name }) => name)).toEqual(expect.arrayContaining(["list", "verify", "repair", "blobs gc"]))
  expect([...everywhere]).toEqual(expect.arrayContaining(["--store", "--json", "--no-color"]))
})

describe.each(pages)("%s", (page) => {
  const lines = commandLines(page)

  test("names only commands that exist", () => {
    expect(lines.filter((line) => !line.startsWith("-") && !commandOf(line))).toEqual([])
  })

  test("gives each command only options that it has", () => {
    const strangers = lines.flatMap((line) => {
      const flags = line.match(/(?<=^|\s)-(?:-[a-z][\w-]*|[a-zA-Z])(?=$|\s|=)/g) ?? []
      const taken = new Set([...everywhere, ...(commandOf(line)?.flags ?? [])])
      return flags.filter((flag) => !taken.has(flag)).map((flag) => `${line}: ${flag}`)
    })
    expect(strangers).toEqual([])
  })

  test("names only options that a command has", () => {
    const alone = codeSpans(page).filter((span) => /^(-\w, )?--[a-z-]+( [A-Z|\\a-z]+)?$/.test(span))
    const flags = alone.flatMap((text) => text.match(/--(?!treelog-)[a-z][\w-]*/g) ?? [])
    // Variables of CSS belong to the viewer; `--no-verify` is a word to search for; `--scope` is an option of Claude Code.
    const others = ["--no-verify", "--scope"]
    expect(flags.filter((flag) => !anywhere.has(flag) && !others.includes(flag))).toEqual([])
  })
})

describe("README.md", () => {
  test("names every command", () => {
    const tour = proseOf("README.md").split("## The command")[1]?.split("\n## ")[0] ?? ""
    const named = new Set([...tour.matchAll(/`treelog ([a-z ]+)`/g)].map(([, name]) => name))
    expect(runnableCommands().filter((name) => !named.has(name))).toEqual([])
  })
})
