import { readdirSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { corePages, inPage, inWorker, withWorker } from "../../src/core/core-page.js"
import type { TestResult } from "../../src/core/page-runner.js"
import { noBrowser } from "../../src/launch.js"

const CORE = new URL("../../../../packages/session-core/test/", import.meta.url)

/** The core's own fast tests of these parts, property tests among them; and the contract suites of what it brings. */
const TESTS = [
  ...["log", "tree", "context", "migrate", "reader"].flatMap((folder) => testsIn(folder)),
  ...testsIn("compaction", "compaction.property."),
  ...testsIn("memory", "memory-blob-store."),
].map((path) => `../../../../packages/session-core/test/${path}`)

const STORAGES = ["MemorySessionStorage", "IndexedDbSessionStorage"]

/** What is only large takes longest, and has its time in Node. */
const LARGE = "\\d0,000|\\d MB"

/** This browser can format any depth: there is nothing that it could refuse. */
const NOT_HERE = "formatLine > refuses %s with its type and the reason (3)"

describe.skipIf(noBrowser)("the tests of the core, run in a browser", () => {
  const open = corePages()
  const script = withWorker(
    [...TESTS, "./memory-contract.js", "./indexeddb-contract.js"].map((path) => `import "${path}"`).join("\n") +
      '\nexport { runTests } from "./page-runner.js"',
  )

  test("pass in a page and in a worker: those of the log, the tree, contexts, compaction and the storages.", async () => {
    // At the same time, each in a context and so with databases of its own.
    const both = await Promise.all(
      [inPage, inWorker].map(async (run) => run<TestResult[]>(await (await open(script)).open(), "runTests", LARGE)),
    )
    for (const results of both) {
      expect(results.filter(({ name, failure }) => failure !== undefined && name !== NOT_HERE)).toEqual([])
      expect(results.length).toBeGreaterThan(300)
      for (const storage of STORAGES) {
        const kept = results.filter(({ name, skipped }) => name.startsWith(storage) && !skipped)
        expect(kept.length, storage).toBeGreaterThan(55)
      }
    }
  })
})

function testsIn(folder: string, prefix = ""): string[] {
  const names = readdirSync(new URL(`${folder}/`, CORE)).filter((name) => name.endsWith(".test.ts"))
  const isWanted = (name: string) => (prefix === "" ? !name.includes(".slow.") : name.startsWith(prefix))
  return names.filter(isWanted).map((name) => `${folder}/${name}`)
}
