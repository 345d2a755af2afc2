import { relative } from "node:path"
import { expect, test } from "vitest"
import { entryPoints, listedNames, packageFolders, ROOT } from "./repository.js"

// A new name is a decision: `npx vitest run exported-names -u` writes it down.
test.each(packageFolders.flatMap(entryPoints))("$specifier", async ({ specifier, source }) => {
  const names = Object.keys(await import(/* @vite-ignore */ source)).sort()
  const file = `./__snapshots__/${specifier.replace("@treelog/", "").replace("/", ".")}.txt`
  await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(file)
})

test("session-core exports at most 300 names, with those of types", () => {
  const names = entryPoints("packages/session-core").flatMap(({ source }) => listedNames(relative(ROOT, source)))
  expect(names.length).toBeLessThanOrEqual(300)
})
