import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { sessionStorageContract } from "../../src/testing/index.js"
import { MapSessionStorage } from "./map-session-storage.js"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
const page = read("../../../../docs/adapters.md")
const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code)

sessionStorageContract(
  { describe, it },
  {
    name: "MapSessionStorage of docs/adapters.md",
    supports: new MapSessionStorage().supports,
    setup: async () => ({ storage: new MapSessionStorage(), teardown: async () => {} }),
  },
)

describe("docs/adapters.md", () => {
  it("shows the storage that these tests run, importing it from the package", () => {
    expect(blocks).toContain(asAStrangerImports(read("./map-session-storage.ts")))
  })

  it("shows the call that these tests make, for vitest and for node:test", () => {
    const call = read("./adapters-doc.test.ts").match(/^sessionStorageContract\(.*?^\)\n/ms)?.[0]
    const shown = call?.replace(" of docs/adapters.md", "") ?? "no call"
    for (const runner of ["vitest", "node:test"]) {
      expect(page).toContain(`import { describe, it } from "${runner}"`)
      expect(blocks.find((block) => block?.includes(runner))).toContain(shown)
    }
  })

  it("names every method of the port and every capability", () => {
    const port = read("../../src/ports/session-storage.ts")
    const names = [...port.matchAll(/^ {2}(?:readonly )?(\w+)[?]?[(:]/gm)].map(([, name]) => name ?? "")
    for (const name of names) expect(page).toMatch(new RegExp(`\\b${name}\\b`))
  })
})

/** The sources import each other by path; a stranger imports the package. */
function asAStrangerImports(code: string): string {
  return code.replace(/"\.\.\/\.\.\/src\/(?:errors|ports\/session-storage)\.js"/g, '"@treelog/session-core"')
}
