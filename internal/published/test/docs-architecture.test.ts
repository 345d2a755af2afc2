import { readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { packageFolders, ROOT, readText, sourceFiles } from "./repository.js"

const page = readText("docs/ARCHITECTURE.md")
const CORE = "packages/session-core"

describe("docs/ARCHITECTURE.md", () => {
  test("names each package and each internal workspace", () => {
    const workspaces = [...packageFolders, ...readdirSync(join(ROOT, "internal")).map((name) => `internal/${name}`)]
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
})
