import { expect, test } from "vitest"
import { version } from "../package.json"
import { sandbox } from "./sandbox.js"

const COMMANDS = [
  ...["list", "show", "tree", "context", "stats", "watch"],
  ...["new", "append", "branch", "compact", "fork", "label", "name"],
  ...["verify", "repair", "migrate", "slim", "inflate", "blobs", "history"],
]
const BLOB_COMMANDS = ["ls", "verify", "gc"]
const HISTORY_COMMANDS = ["search", "recent", "add", "import", "delete", "stats"]
const ALL = [
  ...COMMANDS,
  ...BLOB_COMMANDS.map((name) => `blobs ${name}`),
  ...HISTORY_COMMANDS.map((name) => `history ${name}`),
]

test.each(["", ...ALL])("treelog %s --help leads with examples", async (name) => {
  const command = name.split(" ").filter(Boolean)
  const { code, stdout, stderr } = await sandbox().run([...command, "--help"], { isTTY: true })
  expect(code).toBe(0)
  expect(stderr).toBe("")
  expect(stdout).toMatch(/^Examples:\n {2}treelog /)
  await expect(stdout).toMatchFileSnapshot(`__snapshots__/help/${name.replace(" ", "-") || "treelog"}.txt`)
})

test("every line of every help fits a terminal of 80 columns", async () => {
  for (const name of ["help", ...ALL]) {
    const { stdout } = await sandbox().run([...name.split(" "), "--help"], { isTTY: true })
    expect(
      stdout.split("\n").filter((line) => line.length > 80),
      name,
    ).toEqual([])
  }
})

test("the help names every command that there is", async () => {
  expect(listedIn((await sandbox().run(["--help"])).stdout)).toEqual([...COMMANDS, "help"])
  expect(listedIn((await sandbox().run(["blobs", "--help"])).stdout)).toEqual(BLOB_COMMANDS)
  expect(listedIn((await sandbox().run(["history", "--help"])).stdout)).toEqual(HISTORY_COMMANDS)
})

function listedIn(help: string): (string | undefined)[] {
  return [...help.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name)
}

test("without arguments the help is shown", async () => {
  const box = sandbox()
  const help = await box.run(["--help"])
  expect(await box.run([])).toEqual(help)
  expect(await box.run(["blobs"])).toEqual(await box.run(["blobs", "--help"]))
  expect((await box.run(["help", "tree"])).stdout).toBe((await box.run(["tree", "--help"])).stdout)
})

test.each(["--version", "-V"])("%s prints the version of the package", async (option) => {
  const { code, stdout } = await sandbox().run([option])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` })
})
