import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, test } from "vitest"
import { compiledFiles, type InstalledPackage, installedPackages } from "../src/installed-packages.js"
import { packedPackages } from "../src/packed-packages.js"
import { emptyProject, install, MANAGERS, type Manager } from "../src/project.js"
import { readmeExamples, writeExample } from "../src/readme-example.js"
import { runAtHome } from "../src/run-at-home.js"
import { giveSqliteBinding } from "../src/sqlite-binding.js"
import { removeFoldersAfterAll } from "../src/temporary-folder.js"
import { MODULE_RESOLUTIONS, typeFaults } from "../src/type-check.js"
import { printsOf } from "./readme-prints.js"
import { entryPoints } from "./repository.js"

removeFoldersAfterAll()

const CORE = ["@treelog/session-core", "zod"]

/** What comes with each package; for those that have much, a file says it. */
const BRINGS: Readonly<Record<string, readonly string[] | undefined>> = {
  "@treelog/agent-sdks": ["@treelog/agent-sdks", ...CORE],
  "@treelog/blob-store": ["@treelog/blob-store", ...CORE],
  "@treelog/blob-store-s3": ["@treelog/blob-store-s3", "@treelog/session-core", "aws4fetch", "zod"],
  "@treelog/claude-code": ["@treelog/claude-code", ...CORE],
  "@treelog/cli": undefined,
  "@treelog/codex": undefined,
  "@treelog/export": ["@treelog/export", ...CORE],
  "@treelog/history-sqlite": undefined,
  "@treelog/index-sqlite": undefined,
  "@treelog/mcp": undefined,
  "@treelog/pi": ["@treelog/pi", "@treelog/session-core", "@treelog/storage-fs", "zod"],
  "@treelog/secrets": ["@secretlint/secretlint-rule-preset-recommend", "@treelog/secrets"],
  "@treelog/session-core": CORE,
  "@treelog/storage-fs": ["@treelog/session-core", "@treelog/storage-fs", "zod"],
  "@treelog/storage-indexeddb": ["@treelog/session-core", "@treelog/storage-indexeddb", "zod"],
  "@treelog/storage-postgres": ["@treelog/session-core", "@treelog/storage-postgres", "zod"],
  "@treelog/viewer": ["@treelog/session-core", "@treelog/viewer", "zod"],
}
const NAMES = Object.keys(BRINGS)

/** Whose types are the types of a package: who uses it has them, and a folder with the package alone has not. */
const TYPES_OF: Readonly<Record<string, string | undefined>> = { "@treelog/pi": "@earendil-works/pi-coding-agent" }

/** SQLite is optional, and compiled where no binary of it can be had. */
const MAY_COMPILE = ["@treelog/cli", "@treelog/history-sqlite", "@treelog/index-sqlite"]

/** What can be imported from a package. */
const readEntryPoints = (name: string) =>
  entryPoints(name.replace("@treelog/", "packages/")).map(({ specifier }) => specifier)

interface Alone {
  readonly folder: string
  readonly installed: readonly InstalledPackage[]
}

const projects = new Map<string, Promise<Alone>>()

/** The package alone in a folder. */
function alone(manager: Manager, name: string): Promise<Alone> {
  return once(`${manager} ${name}`, async () => {
    const folder = await emptyProject()
    await install(folder, manager, [name], { withoutScripts: MAY_COMPILE.includes(name) })
    return { folder, installed: await installedPackages(folder) }
  })
}

/** The same folder, with what the examples of its README import from us. */
function withImports(manager: Manager, name: string): Promise<Alone> {
  return once(`${manager} ${name} and what its README imports`, async () => {
    const { folder } = await alone(manager, name)
    const imports = new Set(readmeExamples(name).flatMap((example) => example.imports))
    imports.delete(name)
    const withoutScripts = MAY_COMPILE.includes(name)
    if (imports.size > 0) await install(folder, manager, [...imports], { withoutScripts })
    const installed = await installedPackages(folder)
    await giveSqliteBinding(installed)
    return { folder, installed }
  })
}

function once(key: string, make: () => Promise<Alone>): Promise<Alone> {
  const project = projects.get(key) ?? make()
  projects.set(key, project)
  return project
}

test("Every package that is published is tried.", async ({ expect }) => {
  expect((await packedPackages()).map(({ name }) => name)).toEqual(NAMES)
})

const CASES = NAMES.flatMap((name) => MANAGERS.map((manager) => ({ name, manager })))

describe.concurrent.each(CASES)("$name, installed by $manager in an empty folder", { timeout: 300_000 }, (case_) => {
  const { name, manager } = case_
  const examples = readmeExamples(name)

  test("brings what it needs, and nothing else.", async ({ expect }) => {
    const { installed } = await alone(manager, name)
    const names = [...new Set(installed.map((one) => one.name))]
    const expected = BRINGS[name]
    if (expected) expect(names).toEqual(expected)
    else
      await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(
        `__snapshots__/installed.${name.replace("@treelog/", "")}.txt`,
      )
  })

  test("runs nothing when it is installed, but for SQLite, which is optional.", async ({ expect }) => {
    const { installed } = await alone(manager, name)
    const running = installed.filter((one) => one.runsWhenInstalled).map((one) => one.name)
    expect(running).toEqual(MAY_COMPILE.includes(name) ? ["better-sqlite3"] : [])
    expect(await compiledFiles(installed)).toEqual([])
  })

  test.for(examples)("runs example $number of its README.", async (example, { expect }) => {
    const { folder } = await withImports(manager, name)
    const written = await writeExample(folder, example)
    const ran = await runAtHome(written.folder, process.execPath, [written.javascript])
    expect(ran).toMatchObject({ code: 0, stderr: "" })
    expect(ran.stdout).toMatch(printsOf(name, example.number))
  })

  test.for(examples.length > 0 ? MODULE_RESOLUTIONS : [])(
    "has types for its README, by %s",
    async (resolution, { expect }) => {
      const { folder } = await withImports(manager, name)
      const written = await Promise.all(examples.map((example) => writeExample(folder, example)))
      const files = written.map(({ typescript }) => typescript)
      const theirs = TYPES_OF[name]
      const missing = theirs === undefined ? [] : [expect.stringContaining(`Cannot find module '${theirs}'`)]
      expect(typeFaults(files, { resolution, node: true })).toEqual(missing)
    },
  )

  const specifiers = readEntryPoints(name)
  test.for(specifiers.length > 0 ? [specifiers] : [])("can be required.", async (_, { expect }) => {
    const { folder } = await alone(manager, name)
    const program = specifiers.map((specifier) => `require("${specifier}")`).join("; ")
    const { code, stderr } = await runAtHome(folder, process.execPath, ["--input-type=commonjs", "-e", program])
    expect({ code, stderr }).toMatchObject({ code: 0 })
  })
})

test.for(["@treelog/session-core", "@treelog/storage-indexeddb"])(
  "The types of %s want none of Node in a project for browsers.",
  { timeout: 300_000 },
  async (name, { expect }) => {
    const { folder } = await alone("npm", name)
    const file = join(folder, "types.ts")
    const specifiers = readEntryPoints(name)
    await writeFile(file, specifiers.map((specifier, index) => `export * as e${index} from "${specifier}"\n`).join(""))
    for (const resolution of MODULE_RESOLUTIONS) {
      expect(typeFaults([file], { resolution, node: false, lib: ["es2022", "dom"] })).toEqual([])
    }
  },
)
