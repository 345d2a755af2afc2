import { mkdtemp, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { commandsOfNewerNode, RUNTIMES } from "@treelog-internal/test-kit/runtimes"
import { describe, test } from "vitest"
import { installedPackages } from "../src/installed-packages.js"
import { packedPackage, packedPackages } from "../src/packed-packages.js"
import { emptyProject, install } from "../src/project.js"
import { javascriptOf, readmeExamples, writeExample } from "../src/readme-example.js"
import { ROOT } from "../src/root.js"
import { runAtHome } from "../src/run-at-home.js"
import { removeFoldersAfterAll } from "../src/temporary-folder.js"
import { printsOf } from "./readme-prints.js"

removeFoldersAfterAll()

const NAMES = [
  "agent-sdks",
  "blob-store",
  "blob-store-s3",
  "export",
  "history-sqlite",
  "index-sqlite",
  "mcp",
  "pi",
  "secrets",
  "session-core",
  "storage-fs",
  "storage-indexeddb",
  "storage-postgres",
  "viewer",
]
const EXAMPLES = NAMES.flatMap((name) => readmeExamples(`@treelog/${name}`))
const BOTH_MAJORS = { "better-sqlite3": "12.11.1 || 13.2.0", "node-addon-api": null }

const MAIN = "node_modules/@treelog/cli/dist/main.js"

const made = new Map<boolean, Promise<string>>()

/** One folder for all of them, in which npm of Node 22 installed everything. */
const everything = () => installed(false)
/** The same without better-sqlite3. */
const withoutOptional = () => installed(true)

function installed(isWithoutOptional: boolean): Promise<string> {
  const folder = made.get(isWithoutOptional) ?? installAll(isWithoutOptional)
  made.set(isWithoutOptional, folder)
  return folder
}

async function installAll(isWithoutOptional: boolean): Promise<string> {
  const folder = await emptyProject()
  const names = (await packedPackages()).map(({ name }) => name)
  const versions = isWithoutOptional ? {} : BOTH_MAJORS
  await install(folder, "npm", names, {
    versions,
    withoutOptional: isWithoutOptional,
    commandsOf: commandsOfNewerNode(),
  })
  for (const name of ["contracts", "lock-out"]) {
    const program = await readFile(join(ROOT, "internal/published/src/child", `${name}.ts`), "utf8")
    await writeFile(join(folder, `${name}.js`), javascriptOf(program))
  }
  return folder
}

describe.concurrent.each(RUNTIMES)("on $name", ({ name, binary = "" }) => {
  const noBinary = binary === "" && `no binary of ${name} comes from npm for this machine`

  test("what is installed compiles nothing.", async ({ expect, skip }) => {
    if (noBinary) skip(noBinary)
    const packages = await installedPackages(await everything())
    expect(packages.filter(({ runsWhenInstalled }) => runsWhenInstalled)).toEqual([])
    expect(packages.find((one) => one.name === "better-sqlite3")?.version).toBe("13.2.0")
  })

  test.for(EXAMPLES)("example $number of $name runs.", async (example, { expect, skip }) => {
    if (noBinary) skip(noBinary)
    const { folder, typescript } = await writeExample(await everything(), example)
    // As it stands in the README: these know TypeScript.
    const { code, stdout, stderr } = await runAtHome(folder, binary, [typescript])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(printsOf(example.name, example.number))
  })

  test.for([
    ["better-sqlite3", everything],
    ["the SQLite that it includes", withoutOptional],
  ] as const)(
    "sessions, blobs and prompts are kept as the contracts say, with %s.",
    async ([, folder], { expect, skip }) => {
      if (noBinary) skip(noBinary)
      const { code, stdout, stderr } = await runAtHome(await folder(), binary, ["contracts.js"])
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const { passed, failed } = JSON.parse(stdout)
      expect(failed).toEqual([])
      expect(passed).toBeGreaterThan(150)
    },
  )

  test("a session that Node of this run holds cannot be written.", async ({ expect, skip }) => {
    if (noBinary) skip(noBinary)
    const folder = await everything()
    const home = await mkdtemp(join(folder, "home-"))
    const args = [join(folder, "lock-out.js"), binary, join(folder, MAIN)]
    const ran = await runAtHome(home, process.execPath, args)
    expect(ran).toEqual({ code: 0, stdout: '{"held":5,"free":0}\n', stderr: "" })
  })

  test("the command keeps a session and the history of prompts.", async ({ expect, skip }) => {
    if (noBinary) skip(noBinary)
    const folder = await everything()
    const home = await mkdtemp(join(folder, "home-"))
    const { version } = await packedPackage("@treelog/cli")
    for (const [args, says] of [
      [["--version"], new RegExp(`^${version}\n$`)],
      [["--help"], /\n\nExamples:\n/],
      [["new", "--name", "Audit"], /\.jsonl\n$/],
      [["append", "@last", "--role", "user", "--text", "Hi"], /^[0-9a-f]{8}\n$/],
      [["list"], /1 +pending +Audit\n$/],
      [["show"], /^Audit .*\buser\b.*\n {2}Hi\n$/s],
      [["tree"], /user {2}Hi {2}← leaf\n$/],
      [["history", "add", "Fix the flaky test"], /^$/],
      [["history", "search", "laky"], /Fix the flaky test\n$/],
    ] as const) {
      const ran = await runAtHome(home, binary, [join(folder, MAIN), ...args])
      expect({ args, code: ran.code, stderr: ran.stderr }).toEqual({ args, code: 0, stderr: "" })
      expect(ran.stdout).toMatch(says)
    }
  })
})
