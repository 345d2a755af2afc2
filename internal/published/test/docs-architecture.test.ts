import { readdirSync } from "node:fs"
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
const floorRules = forbidden.filter(({ name }) => /^core-floor-\d/.test(name))

/** What of ours a package's manifest lists. */
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

  test("has a row for each file of session/, and for no other", () => {
    const prefix = `${CORE}/src/session/`
    const files = sourceFiles(CORE).filter((path) => path.startsWith(prefix))
    const table = page.slice(page.indexOf("## `session/`"))
    const rows = [...table.matchAll(/^\| `([\w/-]+\.ts)` +\| \S/gm)].map(([, file]) => file ?? "")
    expect(rows.sort()).toEqual(files.map((path) => path.slice(prefix.length)).sort())
  })

  test("puts each folder of the core on a floor", () => {
    const folders = new Set(sourceFiles(CORE).flatMap((path) => /\/src\/([\w-]+)\//.exec(path)?.[1] ?? []))
    expect([...folders].filter((folder) => !page.includes(`\`${folder}/\``))).toEqual([])
  })

  test("puts them on the floors that the machine holds", () => {
    const rows = [...page.matchAll(/^\| (\d) +\| (.+?): |^\| (\d) +\| (.+?) \|$/gm)]
    const told = rows.flatMap(([, a, namesA = "", b, namesB]) =>
      [...(namesB ?? namesA).matchAll(/`([\w.-]+)(\/?)`/g)].map(([, name = "", slash]) => ({
        path: `${CORE}/src/${name}${slash === "" ? "" : "/any.ts"}`,
        floor: Number(a ?? b),
      })),
    )
    expect(told.length).toBeGreaterThan(10)
    const top = Math.max(...told.map(({ floor }) => floor))
    expect(floorRules).toHaveLength(top)
    for (const { path, floor } of told) {
      // From its own floor it may not look up, and those below may not look up to it.
      const from = floorRules.filter((rule) => new RegExp(rule.from.path ?? "").test(path)).map(({ name }) => name)
      const to = floorRules.filter((rule) => new RegExp(String(rule.to.path)).test(path)).map(({ name }) => name)
      const rule = (number: number) => `core-floor-${number}-does-not-look-up`
      expect({ path, from, to }).toEqual({
        path,
        from: floor === top ? [] : [rule(floor)],
        to: Array.from({ length: floor }, (_, below) => rule(below)),
      })
    }
  })

  test("says of each package what of ours it depends on, as its manifest does", () => {
    for (const folder of packageFolders) {
      const name = folder.slice("packages/".length)
      const [, cell = "no row"] = new RegExp(`^\\| \`${name}\` +\\| (.*?) *\\|$`, "m").exec(page) ?? []
      const told = [...cell.matchAll(/`([\w-]+)`/g)].map(([, other = ""]) => other).sort()
      expect({ name, told }).toEqual({ name, told: dependenciesOf(folder) })
      if (told.length === 0) expect(cell).toBe("nothing")
    }
  })

  test("names, where it tells of the arrows, each rule that the machine holds", () => {
    const section = page.slice(page.indexOf("## Arrows"), page.indexOf("## The way of the data"))
    const others = forbidden.map(({ name }) => name).filter((name) => !/^core-floor-\d/.test(name))
    expect(others.filter((name) => !section.includes(`\`${name}\``))).toEqual([])
    const named = [...section.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name = ""]) => name)
    const packages = packageFolders.map((folder) => folder.slice("packages/".length))
    expect(named.filter((name) => !others.includes(name) && !packages.includes(name))).toEqual([])
  })
})

describe("the arrow map of README.md", () => {
  const map =
    readText("README.md")
      .split("```")
      .find((part) => part.includes("──►")) ?? ""

  test("has every package, and no other", () => {
    const names = new Set([...map.matchAll(/@treelog\/([\w-]+)/g)].map(([, name = ""]) => `packages/${name}`))
    expect([...names].sort()).toEqual([...packageFolders].sort())
  })
})
