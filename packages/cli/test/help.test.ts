import { expect, test } from "vitest"
import { version } from "../package.json"
import { commands, commandTable } from "./command-table.js"
import { sandbox } from "./sandbox.js"

test.each(commandTable.map(({ name }) => name))(
  "treelog %s --help begins with what it is for, and with examples",
  async (name) => {
    const { code, stdout, stderr } = await sandbox().run([...name.split(" "), "--help"], { isTTY: true })
    expect(code).toBe(0)
    expect(stderr).toBe("")
    expect(stdout).toMatch(/^[A-Z](?:.+\n){1,3}\nExamples:\n {2}treelog /)
    await expect(stdout).toMatchFileSnapshot(`__snapshots__/help/${name.replace(" ", "-")}.txt`)
  },
)

test("the first help fits a screen of 24 lines, and names commands that there are; the others are in `help all`", async () => {
  const box = sandbox()
  const { stdout } = await box.run(["--help"])
  await expect(stdout).toMatchFileSnapshot("__snapshots__/help/treelog.txt")
  expect(stdout.split("\n").length - 1).toBeLessThanOrEqual(24)
  const shown = [...stdout.matchAll(/^(?:find|read|go on|share|count|keep in order)? +([a-z]+) {2,}\S/gm)].map(
    ([, name]) => name,
  )
  const all = await box.run(["help", "all"])
  await expect(all.stdout).toMatchFileSnapshot("__snapshots__/help/help-all.txt")
  expect(shown.length).toBeGreaterThan(15)
  expect(listedIn(all.stdout)).toEqual(expect.arrayContaining(shown))
})

test("every line of every help fits a terminal of 80 columns", async () => {
  for (const name of ["", ...commandTable.map((row) => row.name)]) {
    const { stdout } = await sandbox().run(helpOf(name), { isTTY: true })
    expect(
      stdout.split("\n").filter((line) => line.length > 80),
      `what packages/cli/src/commands says of \`treelog ${name}\` (an example, an option, an argument) is too long`,
    ).toEqual([])
  }
})

test("the help names every command that there is", async () => {
  const groups = commandTable.flatMap(({ name, part }) => ("commands" in part ? { name, parts: part.commands } : []))
  for (const { name, parts } of groups)
    expect(listedIn((await sandbox().run(helpOf(name))).stdout), name).toEqual(Object.keys(parts))
  const all = commands.map(({ name }) => name)
  expect(listedIn((await sandbox().run(helpOf(""))).stdout)).toEqual([...all, "help"])
})

function helpOf(name: string): string[] {
  return name === "" ? ["help", "all"] : [...name.split(" "), "--help"]
}

function listedIn(help: string): (string | undefined)[] {
  return [...help.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name]) => name)
}

test("without arguments the help is shown", async () => {
  const box = sandbox()
  const help = await box.run(["--help"])
  expect(await box.run([])).toEqual(help)
  expect(await box.run(["blobs"])).toEqual(await box.run(["blobs", "--help"]))
  expect((await box.run(["help", "tree"])).stdout).toBe((await box.run(["tree", "--help"])).stdout)
  expect((await box.run(["help", "blobs", "gc"])).stdout).toBe((await box.run(["blobs", "gc", "--help"])).stdout)
})

test.each(["--version", "-V"])("%s prints the version of the package", async (option) => {
  const { code, stdout } = await sandbox().run([option])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` })
})
