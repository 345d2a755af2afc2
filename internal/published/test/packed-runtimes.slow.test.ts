import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { commandsOfNewerNode, RUNTIMES, type Runtime } from "@treelog-internal/test-kit/runtimes"
import { build } from "esbuild"
import { describe, expect, test } from "vitest"
import { installedPackages } from "../src/installed-packages.js"
import { packedPackages } from "../src/packed-packages.js"
import { emptyProject, install } from "../src/project.js"
import { readmeExamples, writeExample } from "../src/readme-example.js"
import { ROOT } from "../src/root.js"
import { runAtHome } from "../src/run-at-home.js"
import { removeFoldersAfterAll } from "../src/temporary-folder.js"
import { printsOf } from "./readme-prints.js"

removeFoldersAfterAll()

const NAMES = [
  "agent-sdks",
  "blob-store",
  "blob-store-s3",
  "bundle",
  "export",
  "history-sqlite",
  "index-sqlite",
  "mcp",
  "pi",
  "prices",
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
  const programs = join(ROOT, "internal/published/src/child")
  await build({
    entryPoints: ["contracts", "lock-out"].map((name) => join(programs, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["@treelog/*"],
  })
  return folder
}

const NONE: Runtime = { name: "none", binary: undefined }
/** Node 22 has the oldest SQLite that a Node includes; a newer Node runs everything else. */
const [NODE_22 = NONE, NODE_24 = NONE, BUN = NONE] = RUNTIMES

const isMissing = ({ name, binary }: Runtime) =>
  binary === undefined && `no binary of ${name} comes from npm for this machine`

test("What npm of a newer Node installs compiles nothing.", async () => {
  if (commandsOfNewerNode() === undefined) return
  const packages = await installedPackages(await everything())
  expect(packages.filter(({ runsWhenInstalled }) => runsWhenInstalled)).toEqual([])
  expect(packages.find((one) => one.name === "better-sqlite3")?.version).toBe("13.2.0")
})

test.concurrent.for([
  [NODE_22.name, "the SQLite that it includes", NODE_22, withoutOptional],
  [NODE_24.name, "better-sqlite3", NODE_24, everything],
  [BUN.name, "the SQLite that it includes", BUN, withoutOptional],
] as const)(
  "On %s, sessions, blobs and prompts are kept as the contracts say, with %s.",
  async ([, , runtime, folder], { expect, skip }) => {
    const reason = isMissing(runtime)
    if (reason) return skip(reason)
    const { code, stdout, stderr } = await runAtHome(await folder(), runtime.binary ?? "", ["contracts.js"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const { passed, failed } = JSON.parse(stdout)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(150)
  },
)

test("A session that Node of this run holds cannot be written by Bun.", async ({ skip }) => {
  const reason = isMissing(BUN)
  if (reason) return skip(reason)
  const folder = await everything()
  const home = await mkdtemp(join(folder, "home-"))
  const args = [join(folder, "lock-out.js"), BUN.binary ?? "", join(folder, MAIN)]
  const ran = await runAtHome(home, process.execPath, args)
  expect(ran).toEqual({ code: 0, stdout: '{"held":5,"free":0}\n', stderr: "" })
})

describe.concurrent.each([NODE_24, BUN])("on $name", (runtime) => {
  const { binary = "" } = runtime
  const reason = isMissing(runtime)

  test.for(EXAMPLES)("example $number of $name runs.", async (example, { expect, skip }) => {
    if (reason) return skip(reason)
    const { folder, typescript } = await writeExample(await everything(), example)
    // As it is in the README: these know TypeScript.
    const { code, stdout, stderr } = await runAtHome(folder, binary, [typescript])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(printsOf(example.name, example.number))
  })

  test("the command keeps a session.", async ({ expect, skip }) => {
    if (reason) return skip(reason)
    const folder = await everything()
    const home = await mkdtemp(join(folder, "home-"))
    for (const [args, says] of [
      [["new", "--name", "Audit"], /\.jsonl\n$/],
      [["append", "@last", "--role", "user", "--text", "Hi"], /^[0-9a-f]{8}\n$/],
      [["show"], /^Audit .*\buser\b.*\n {2}Hi\n$/s],
    ] as const) {
      const ran = await runAtHome(home, binary, [join(folder, MAIN), ...args])
      expect({ args, code: ran.code, stderr: ran.stderr }).toEqual({ args, code: 0, stderr: "" })
      expect(ran.stdout).toMatch(says)
    }
  })
})
