import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { corePages, inPage, inWorker, withWorker } from "../../src/core/core-page.js"
import type { LawResult } from "../../src/core/page-runner.js"
import { noBrowser } from "../../src/launch.js"

const CORE = new URL("../../../../packages/session-core/test/", import.meta.url)

/** The core's own tests of these parts, property tests among them; and the contract suites of what it brings. */
const LAWS = [...["log", "tree", "context", "migrate"].flatMap(testsIn), "memory/memory-blob-store.test.ts"].map(
  (path) => `../../../../packages/session-core/test/${path}`,
)

/** What is only large takes longest, and has its time in Node. */
const LARGE = "\\d0,000|\\d MB"

/** This browser can format any depth: there is nothing that it could refuse. */
const NOT_HERE = "formatLine > refuses %s with its type and the reason (3)"

describe.skipIf(noBrowser)("the laws of the core, run in a browser", () => {
  const open = corePages()
  const run = 'export { runLaws } from "./page-runner.js"'
  const script = withWorker(`${[...LAWS, "./indexeddb-laws.js"].map((path) => `import "${path}"`).join("\n")}\n${run}`)

  test.for([
    ["a page", inPage],
    ["a worker", inWorker],
  ] as const)("hold in %s, those of the log, the tree, contexts, and of a storage in IndexedDB.", async ([, run]) => {
    const page = await (await open(script)).open()
    const results = await run<LawResult[]>(page, "runLaws", LARGE)
    expect(results.filter(({ name, failure }) => failure !== undefined && name !== NOT_HERE)).toEqual([])
    expect(results.length).toBeGreaterThan(200)
    expect(results.filter(({ name }) => name.startsWith("IndexedDbSessionStorage")).length).toBeGreaterThan(60)
  })
})

function testsIn(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, CORE))
  return names.filter((name) => name.endsWith(".test.ts")).map((name) => `${folder}/${name}`)
}
