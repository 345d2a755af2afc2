import { appendFile, truncate, utimes, writeFile } from "node:fs/promises"
import { nodeFs } from "@treelog-internal/fs"
import { expect, it } from "vitest"
import { convertFile } from "../../door.js"
import { folderOfTest } from "./claude-folder.js"

const [ID, CWD] = ["6dfbc8e4-f399-4705-94fe-6d7cf3c8e18f", "/home/ada/shop"]

async function textOf(path: string, meanwhile: () => Promise<void>): Promise<string> {
  const { header, entries } = await convertFile(nodeFs, path)
  await meanwhile()
  return JSON.stringify([header, ...entries])
}

// Records are read again while entries are made of them.
it.each<[string, (path: string) => Promise<void>, string]>([
  ["grows", (path) => appendFile(path, '{"type":"user"}\n'), "the same"],
  ["is cut", (path) => truncate(path, 5), "SessionChangedError"],
  ["is rewritten", (path) => writeFile(path, `${"x".repeat(5_000)}\n`), "SessionChangedError"],
])("a session that %s while its entries are made is what it was, or an error", async (_, move, expected) => {
  const folder = await folderOfTest()
  const path = await folder.add(ID, CWD, "one", "two")
  await utimes(path, 1, 1)
  const before = await textOf(path, async () => {})
  expect(before).toContain('"two"')
  const found = await textOf(path, () => move(path)).then(
    (text) => (text === before ? "the same" : text),
    ({ code }) => code,
  )
  expect(found).toBe(expected)
})
