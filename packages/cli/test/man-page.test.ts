import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import manifest from "../package.json"
import { commandTable } from "./command-table.js"
import { manPage } from "./man-page.js"

const PAGE = fileURLToPath(new URL("../man/treelog.1", import.meta.url))
const NO_GROFF = spawnSync("groff", ["--version"]).error !== undefined && "groff is not installed"

test("The manual page is that of the commands that there are.", async () => {
  await expect(manPage()).toMatchFileSnapshot(PAGE)
  for (const { name } of commandTable().slice(1)) expect(manPage()).toContain(`.SS "treelog ${name}`)
})

test("The manual page is in the package, where installers look for it.", () => {
  expect(manifest.man).toBe("man/treelog.1")
  expect(manifest.files).toContain("man")
})

test.skipIf(NO_GROFF)(`groff finds no fault with it${NO_GROFF ? ` (skipped: ${NO_GROFF})` : ""}.`, () => {
  const { status, stdout, stderr } = spawnSync("groff", ["-man", "-Kutf8", "-Tutf8", "-ww"], {
    input: manPage(),
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  expect(stdout).toContain("TREELOG(1)")
})
