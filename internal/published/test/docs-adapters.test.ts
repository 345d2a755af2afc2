import { describe, expect, test } from "vitest"
import { codeBlocks } from "./docs-pages.js"
import { readText } from "./repository.js"

const page = readText("docs/adapters.md")

describe("docs/adapters.md", () => {
  test.each(["vitest", "node:test"])("shows the call that the test of the example makes, for %s", (runner) => {
    const [call = "no call"] =
      readText("examples/test/custom-storage.test.ts").match(/^sessionStorageContract\(.*?^\)\n/ms) ?? []
    const block = codeBlocks("docs/adapters.md").find((code) => code.includes(`from "${runner}"`))
    expect(block).toContain('import { KeyValueStorage } from "../custom-storage.js"')
    expect(block).toContain(call)
  })

  test("has the length of the example", () => {
    const lines = readText("examples/custom-storage.ts").trimEnd().split("\n").length
    const [, said] = /in (\d+) lines/.exec(page) ?? []
    expect(Math.abs(lines - Number(said))).toBeLessThan(10)
  })

  test.each([
    ["SessionSource", "session-source"],
    ["SessionStorage extends SessionSource", "session-storage"],
    ["SyncSessionStorage extends SessionStorage", "session-storage"],
    ["Lease", "session-storage"],
    ["SummaryCache", "session-source"],
  ])("names every member of %s", (name, file) => {
    const source = readText(`packages/session-core/src/ports/${file}.ts`)
    const [body = ""] = new RegExp(`^export interface ${name} \\{\n.*?^\\}`, "ms").exec(source) ?? []
    const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?]?[(:]/gm)].map(([, member = ""]) => member)
    expect(members.length).toBeGreaterThan(2)
    expect(members.filter((member) => !page.includes(`\`${member}`))).toEqual([])
  })
})
