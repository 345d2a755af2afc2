import { expect, test } from "vitest"
import { version } from "../package.json"
import { sandbox } from "./sandbox.js"

const COMMANDS = ["list", "show", "tree", "context", "new", "append", "branch", "fork", "label", "name", "verify"]

test.each(["", ...COMMANDS])("treelog %s --help leads with examples", async (name) => {
  const command = name === "" ? [] : [name]
  const { code, stdout, stderr } = await sandbox().run([...command, "--help"], { isTTY: true })
  expect(code).toBe(0)
  expect(stderr).toBe("")
  expect(stdout).toMatch(/^Examples:\n {2}treelog /)
  await expect(stdout).toMatchFileSnapshot(`__snapshots__/help/${name || "treelog"}.txt`)
})

test("every line of every help fits a terminal of 80 columns", async () => {
  for (const name of ["help", ...COMMANDS]) {
    const { stdout } = await sandbox().run([name, "--help"], { isTTY: true })
    expect(
      stdout.split("\n").filter((line) => line.length > 80),
      name,
    ).toEqual([])
  }
})

test("the help names every command that there is", async () => {
  const { stdout } = await sandbox().run(["--help"])
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name)
  expect(listed).toEqual([...COMMANDS, "help"])
})

test("without arguments the help is shown", async () => {
  const box = sandbox()
  const help = await box.run(["--help"])
  expect(await box.run([])).toEqual(help)
  expect((await box.run(["help", "tree"])).stdout).toBe((await box.run(["tree", "--help"])).stdout)
})

test.each(["--version", "-V"])("%s prints the version of the package", async (option) => {
  const { code, stdout } = await sandbox().run([option])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` })
})
