import { expect, test } from "vitest"
import { codeSpans, pages } from "./docs-pages.js"
import { readText, sourceFiles } from "./repository.js"

const cli = sourceFiles("packages/cli")
  .filter((file) => !/\/src\/(commands|render|tui)\//.test(file))
  .map(readText)
  .join("\n")

/** As they are registered: `command("blobs ls", …`. */
const commands = new Set([...cli.matchAll(/\bcommand\(\s*"([a-z ]+)"/g)].map(([, name = ""]) => name))
/** As they are registered: `.option("-n, --limit <count>", …`, `new Option("--store <program>", …`. */
const flags = new Set(
  [...cli.matchAll(/(?:[oO]ption|version)\([^)]*?"((?:-\w, )?--[\w-]+)/g)].map(([, flag = ""]) =>
    flag.replace(/^-\w, /, ""),
  ),
)

/** What is told to the command itself. */
const commandLines = (page: string) =>
  codeSpans(page).flatMap((span) => /^(?:treelog|npm start --) (.*)$/s.exec(span)?.[1] ?? [])

test("the command registers what can be looked for", () => {
  expect([...commands]).toEqual(expect.arrayContaining(["list", "verify", "repair", "blobs gc"]))
  expect([...flags]).toEqual(expect.arrayContaining(["--store", "--json", "--limit", "--dry-run"]))
})

test.each(pages)("every command that %s names is there", (page) => {
  const isThere = (line: string) => {
    const words = line.split(" ")
    return line.startsWith("-") || commands.has(words[0] ?? "") || commands.has(words.slice(0, 2).join(" "))
  }
  expect(commandLines(page).filter((line) => !isThere(line))).toEqual([])
})

test.each(pages)("every option of the command that %s names is there", (page) => {
  const alone = codeSpans(page).filter((span) => /^(-\w, )?--[a-z-]+( [A-Z|\\a-z]+)?$/.test(span))
  const named = [...alone, ...commandLines(page)].flatMap((text) => text.match(/--[a-z][\w-]*/g) ?? [])
  expect(named.filter((flag) => !flags.has(flag))).toEqual([])
})
