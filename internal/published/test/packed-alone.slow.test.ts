import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, test } from "vitest"
import { compiledFiles, type InstalledPackage, installedPackages } from "../src/installed-packages.js"
import { packedPackages } from "../src/packed-packages.js"
import { emptyProject, install, type Manager } from "../src/project.js"
import { readmeExamples, writeExample } from "../src/readme-example.js"
import { runAtHome } from "../src/run-at-home.js"
import { giveSqliteBinding } from "../src/sqlite-binding.js"
import { removeFoldersAfterAll } from "../src/temporary-folder.js"
import { MODULE_RESOLUTIONS, typeFaults } from "../src/type-check.js"
import { codeBlocks } from "./docs-pages.js"
import { printsOf } from "./readme-prints.js"
import { entryPoints } from "./repository.js"

removeFoldersAfterAll()

const CORE = ["@treelog/session-core", "zod"]

/** What comes with each package; for those that have much, a file says it. */
const BRINGS: Readonly<Record<string, readonly string[] | undefined>> = {
  "@treelog/agent-sdks": ["@treelog/agent-sdks", ...CORE],
  "@treelog/agents": ["@treelog/agents", "@treelog/session-core", "fzstd", "zod"],
  "@treelog/blob-store": ["@treelog/blob-store", ...CORE],
  "@treelog/blob-store-s3": ["@treelog/blob-store-s3", "@treelog/session-core", "aws4fetch", "zod"],
  "@treelog/bundle": undefined,
  "@treelog/cli": undefined,
  "@treelog/export": ["@treelog/export", ...CORE],
  "@treelog/history-sqlite": undefined,
  "@treelog/index-sqlite": undefined,
  "@treelog/mcp": undefined,
  "@treelog/pi": ["@treelog/pi", "@treelog/session-core", "@treelog/storage-fs", "zod"],
  "@treelog/prices": ["@treelog/prices"],
  "@treelog/secrets": ["@treelog/secrets"],
  "@treelog/session-core": CORE,
  "@treelog/storage-fs": ["@treelog/session-core", "@treelog/storage-fs", "zod"],
  "@treelog/storage-indexeddb": ["@treelog/session-core", "@treelog/storage-indexeddb", "zod"],
  "@treelog/storage-postgres": ["@treelog/session-core", "@treelog/storage-postgres", "zod"],
  "@treelog/stores": undefined,
  "@treelog/viewer": ["@treelog/session-core", "@treelog/viewer", "zod"],
}
const NAMES = Object.keys(BRINGS)

/** Packages whose types are those of ours: who uses one of ours has them, and these folders do not. */
const THEIRS = ["@earendil-works/pi-coding-agent"]

/** SQLite is optional, and compiled where no binary of it can be had. */
const MAY_COMPILE = ["@treelog/cli", "@treelog/history-sqlite", "@treelog/index-sqlite", "@treelog/stores"]

/** What can be imported from a package. */
const readEntryPoints = (name: string) =>
  entryPoints(name.replace("@treelog/", "packages/")).map(({ specifier }) => specifier)

interface Project {
  readonly folder: string
  readonly installed: readonly InstalledPackage[]
}

const projects = new Map<string, Promise<Project>>()

/** A package alone in a folder. */
function alone(name: string, manager: Manager = "npm"): Promise<Project> {
  return once(`${manager} ${name}`, async () => {
    const folder = await emptyProject()
    await install(folder, manager, [name], { withoutScripts: MAY_COMPILE.includes(name) })
    return { folder, installed: await installedPackages(folder) }
  })
}

/** All of them in one folder, for what needs several. */
function together(): Promise<Project> {
  return once("together", async () => {
    const folder = await emptyProject()
    await install(folder, "npm", NAMES, { withoutScripts: true })
    const installed = await installedPackages(folder)
    await giveSqliteBinding(installed)
    return { folder, installed }
  })
}

function once(key: string, make: () => Promise<Project>): Promise<Project> {
  const project = projects.get(key) ?? make()
  projects.set(key, project)
  return project
}

test("Every package that is published is tried.", async ({ expect }) => {
  expect((await packedPackages()).map(({ name }) => name)).toEqual(NAMES)
})

const CASES: readonly { name: string; manager: Manager }[] = [
  ...NAMES.map((name) => ({ name, manager: "npm" as const })),
  // It needs two of ours. The command by pnpm: packed-command.slow.test.ts.
  { name: "@treelog/pi", manager: "pnpm" },
]

describe.concurrent.each(CASES)("$name, installed by $manager in an empty folder", ({ name, manager }) => {
  test("brings what it needs, and nothing else.", async ({ expect }) => {
    const { installed } = await alone(name, manager)
    const names = [...new Set(installed.map((one) => one.name))]
    const expected = BRINGS[name]
    if (expected) expect(names).toEqual(expected)
    else
      await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(
        `__snapshots__/installed.${name.replace("@treelog/", "")}.txt`,
      )
  })

  test("runs nothing when it is installed, but for SQLite, which is optional.", async ({ expect }) => {
    const { installed } = await alone(name, manager)
    const running = installed.filter((one) => one.runsWhenInstalled).map((one) => one.name)
    expect(running).toEqual(MAY_COMPILE.includes(name) ? ["better-sqlite3"] : [])
    expect(await compiledFiles(installed)).toEqual([])
  })
})

test("Each can be required where it is alone.", async ({ expect }) => {
  const wanted = await Promise.all(
    NAMES.map(async (name) => ({ from: join((await alone(name)).folder, "index.cjs"), names: readEntryPoints(name) })),
  )
  const program = `
    const { createRequire } = require("node:module")
    for (const { from, names } of JSON.parse(process.argv[1])) names.map(createRequire(from))`
  const { folder } = await alone("@treelog/session-core")
  const ran = await runAtHome(folder, process.execPath, [
    "--input-type=commonjs",
    "-e",
    program,
    JSON.stringify(wanted),
  ])
  expect(wanted.filter(({ names }) => names.length > 0)).toHaveLength(NAMES.length - 1)
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 })
})

describe.concurrent("in a folder with all of them", () => {
  const examples = NAMES.flatMap(readmeExamples)

  test.for(examples)("example $number of the README of $name runs.", async (example, { expect }) => {
    const written = await writeExample((await together()).folder, example)
    const ran = await runAtHome(written.folder, process.execPath, [written.javascript])
    expect(ran).toMatchObject({ code: 0, stderr: "" })
    expect(ran.stdout).toMatch(printsOf(example.name, example.number))
  })

  /** The pieces of docs/use.md are one program. */
  const programs = [...codeBlocks("README.md"), codeBlocks("docs/use.md").join("\n")].map((code, at) => ({
    name: "README.md",
    number: at + 1,
    code,
    imports: [],
  }))

  test.for(MODULE_RESOLUTIONS)(
    "they have types for README.md, docs/use.md and their own, by %s.",
    async (resolution, { expect }) => {
      const { folder } = await together()
      const written = await Promise.all([...examples, ...programs].map((example) => writeExample(folder, example)))
      const files = written.map(({ typescript }) => typescript)
      const missing = THEIRS.map((name) => expect.stringContaining(`Cannot find module '${name}'`))
      expect(await typeFaults(files, { resolution, node: true })).toEqual(missing)
    },
  )
})

test.for(MODULE_RESOLUTIONS)(
  "The types of what runs in browsers want none of Node there, by %s.",
  async (resolution, { expect }) => {
    const { folder } = await alone("@treelog/storage-indexeddb")
    const file = join(folder, "types.ts")
    const specifiers = ["@treelog/session-core", "@treelog/storage-indexeddb"].flatMap(readEntryPoints)
    await writeFile(file, specifiers.map((specifier, index) => `export * as e${index} from "${specifier}"\n`).join(""))
    expect(await typeFaults([file], { resolution, node: false, lib: ["es2022", "dom"] })).toEqual([])
  },
)
