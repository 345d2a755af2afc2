import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { install } from "../src/project.js"
import { runWell } from "../src/run-command.js"
import { removeFoldersAfterAll, temporaryFolder } from "../src/temporary-folder.js"
import { codeBlocks } from "./docs-pages.js"
import { readText } from "./repository.js"

removeFoldersAfterAll()

test("The first snippet of README.md runs as it says, in a folder of `npm init -y`.", async () => {
  const readme = readText("README.md")
  const [snippet = ""] = codeBlocks("README.md")
  const [, names = "", file = ""] =
    /`npm init -y` and\s+`npm install ([^`]+)`[^`]*; save this as\s+`([\w.]+)` and run `node \2`/.exec(readme) ?? []
  const folder = await temporaryFolder("snippet")
  await runWell("npm", ["init", "-y"], { cwd: folder })
  await install(folder, "npm", names.split(" "))
  await writeFile(join(folder, file), snippet)
  const { stdout } = await runWell(process.execPath, [file], { cwd: folder })
  expect(stdout).toContain("Try the right one.")
})
