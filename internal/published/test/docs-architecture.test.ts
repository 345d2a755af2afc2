import { existsSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { packageFolders, ROOT, readText, sourceFiles } from "./repository.js"

const page = readText("docs/ARCHITECTURE.md")
const CORE = "packages/session-core"

interface Rule {
  readonly name: string
  readonly from: { readonly path?: string }
  readonly to: { readonly path?: string | readonly string[] }
}

const { forbidden } = createRequire(import.meta.url)(join(ROOT, ".dependency-cruiser.cjs")) as { forbidden: Rule[] }
const layerRules = forbidden.filter(({ name }) => /^core-layer-\d/.test(name))

/** The text below a heading, up to the next one. */
const section = (heading: string) => page.split(`\n${heading}`)[1]?.split("\n## ")[0] ?? ""

/** Whether a source declares a function, a class or a method of this name. */
function declares(source: string, name: string): boolean {
  const method = `^ {2}(?:static |override )?(?:async )?\\*?${name}(?:<[^(]*>)?\\(.*\\{$|^ {2}(?:static |override )?(?:async )?\\*?${name}\\($`
  return new RegExp(`${method}|^(?:export )?(?:async )?(?:function\\*?|class) ${name}\\b`, "m").test(source)
}

/** The packages of this repository that a manifest lists. */
const dependenciesOf = (folder: string) =>
  Object.keys(JSON.parse(readText(`${folder}/package.json`)).dependencies ?? {})
    .filter((name) => name.startsWith("@treelog/"))
    .map((name) => name.slice("@treelog/".length))
    .sort()

describe("docs/ARCHITECTURE.md", () => {
  test("names each workspace", () => {
    const workspaces = [
      ...packageFolders,
      ...readdirSync(join(ROOT, "internal")).map((name) => `internal/${name}`),
      "bench",
      "examples",
    ]
    expect(workspaces.filter((folder) => !page.includes(`\`${folder}\``))).toEqual([])
  })

  test("puts each folder of the core in a layer", () => {
    const folders = new Set(sourceFiles(CORE).flatMap((path) => /\/src\/([\w-]+)\//.exec(path)?.[1] ?? []))
    expect([...folders].filter((folder) => !page.includes(`\`${folder}/\``))).toEqual([])
  })

  test("has the folders of the command, in the order of the import rules", () => {
    const table = section("## Import rules").split("| of the command ")[1] ?? ""
    const rows = [...table.matchAll(/^\| `([\w-]+)\/` +\|/gm)].map(([, folder = ""]) => folder)
    const ruled = forbidden.flatMap(({ name, from }) => (/^command-layer-\d/.test(name) ? (from.path ?? "") : []))
    expect(ruled.map((path) => path.split("/").at(-2)).reverse()).toEqual(rows)
    const folders = new Set(
      sourceFiles("packages/cli").flatMap((path) => /\/cli\/src\/([\w-]+)\//.exec(path)?.[1] ?? []),
    )
    expect([...folders].sort()).toEqual([...rows].sort())
  })

  test("describes each folder of session/, and no other", () => {
    const table = section("## Import rules").split("| folder  ")[1]?.split("\n### ")[0] ?? ""
    const rows = [...table.matchAll(/^\| `([\w-]+)\/` +\|/gm)].map(([, folder]) => folder)
    const nested = sourceFiles(CORE).flatMap((path) => /\/src\/session\/([\w-]+)\//.exec(path)?.[1] ?? [])
    expect(rows.sort()).toEqual([...new Set(["session", ...nested])].sort())
  })

  test("puts them in the layers that the import rules have", () => {
    const rows = [...page.matchAll(/^\| (\d) +\| (.+?): |^\| (\d) +\| (.+?) \|$/gm)]
    const described = rows.flatMap(([, a, namesA = "", b, namesB]) =>
      [...(namesB ?? namesA).matchAll(/`([\w.-]+)(\/?)`/g)].map(([, name = "", slash]) => ({
        path: `${CORE}/src/${name}${slash === "" ? "" : "/any.ts"}`,
        layer: Number(a ?? b),
      })),
    )
    expect(described.length).toBeGreaterThan(10)
    const top = Math.max(...described.map(({ layer }) => layer))
    expect(layerRules).toHaveLength(top)
    for (const { path, layer } of described) {
      // It may not import a higher layer, and lower layers may not import it.
      const from = layerRules.filter((rule) => new RegExp(rule.from.path ?? "").test(path)).map(({ name }) => name)
      const to = layerRules.filter((rule) => new RegExp(String(rule.to.path)).test(path)).map(({ name }) => name)
      const rule = (number: number) => `core-layer-${number}-imports-no-higher-layer`
      expect({ path, from, to }).toEqual({
        path,
        from: layer === top ? [] : [rule(layer)],
        to: Array.from({ length: layer }, (_, below) => rule(below)),
      })
    }
  })

  test("lists which of our packages each one imports, as its manifest does", () => {
    for (const folder of packageFolders) {
      const name = folder.slice("packages/".length)
      const [, cell = "no row"] = new RegExp(`^\\| \`${name}\` +\\| (.*?) *\\|$`, "m").exec(page) ?? []
      const listed = [...cell.matchAll(/`([\w-]+)`/g)].map(([, other = ""]) => other).sort()
      expect({ name, listed }).toEqual({ name, listed: dependenciesOf(folder) })
      if (listed.length === 0) expect(cell).toBe("nothing")
    }
  })

  test("names each import rule", () => {
    const rules = section("## Import rules").split("| layer")[0] ?? ""
    const ofCommand = section("## Import rules").split("\n### The command")[1]?.split("\n\n|")[0] ?? ""
    const others = forbidden.map(({ name }) => name).filter((name) => !/^(?:core|command)-layer-\d/.test(name))
    expect(others.filter((name) => !`${rules}${ofCommand}`.includes(`\`${name}\``))).toEqual([])
    const named = [...rules.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name = ""]) => name)
    const packages = packageFolders.map((folder) => folder.slice("packages/".length))
    expect(named.filter((name) => !others.includes(name) && !packages.includes(name))).toEqual([])
  })
})

describe.each([
  [1, 8],
  [2, 12],
  [3, 10],
  [4, 17],
  [5, 10],
])("walk %i of docs/ARCHITECTURE.md", (number, most) => {
  const steps = [...section(`## Walk ${number}:`).matchAll(/^\| `([\w./-]+\.ts)` \| (.*?) \| \S.* \|$/gm)].map(
    ([, file = "", cell = ""]) => ({
      file: `packages/${file}`,
      functions: [...cell.matchAll(/`(#?\w+)`/g)].map(([, name = ""]) => name),
    }),
  )

  test(`names at most ${most} files, all of which exist`, () => {
    expect(steps.length).toBeGreaterThan(8)
    expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(most)
    expect(steps.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([])
  })

  test("names functions and classes that their files declare", () => {
    const missing = steps.flatMap(({ file, functions }) =>
      functions.filter((name) => !declares(readText(file), name)).map((name) => `${name} in ${file}`),
    )
    expect(steps.filter(({ functions }) => functions.length === 0)).toEqual([])
    expect(missing).toEqual([])
  })

  test("goes on to what an earlier step uses", () => {
    const strangers = steps.slice(1).flatMap(({ file, functions }, index) => {
      const earlier = steps.slice(0, index + 1).filter((step) => step.file !== file)
      const isUsed = functions.some((name) =>
        earlier.some((step) => new RegExp(`(?<!#)\\b${name}\\(`).test(readText(step.file))),
      )
      // The command line loads a command by its name.
      const isCommand = /\/commands\/\w+\.ts$/.test(file)
      const isReached = isUsed || isCommand || functions.every((name) => name.startsWith("#"))
      return isReached ? [] : [`${functions.join(", ")} in ${file}`]
    })
    expect(strangers).toEqual([])
  })
})

test("README.md has each package once in its table, and no other", () => {
  const names = [...readText("README.md").matchAll(/^\| \[([\w-]+)\]\(packages\/\1\) \|/gm)]
  expect(names.map(([, name]) => `packages/${name}`).sort()).toEqual([...packageFolders].sort())
})
