import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

const folder = new URL("readme/", import.meta.url)
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const blocks = [...readme.matchAll(/```typescript\n(.*?)```/gs)].map(([, code]) => code)

test("the examples with the SDKs are the programs of this folder, whose types are checked", () => {
  const programs = readdirSync(folder).sort()
  expect(programs).toEqual(["claude.ts", "copilot.ts", "openai.ts"])
  expect([...blocks].sort()).toEqual(programs.map((name) => readFileSync(new URL(name, folder), "utf8")).sort())
})
