import { basename } from "node:path"
import { describe, expect, test } from "vitest"
import { packageFolders, readText, sourceFiles } from "./repository.js"

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm
const NAMED_RE_EXPORT = /export\s+(type\s+)?\{[^}]*\}\s*from\s*"[^"]+";?|export\s*\{\s*\};?/g

describe.each(packageFolders)("%s", (folder) => {
  const files = sourceFiles(folder)

  test("names its files after what they hold", () => {
    const path = /(^|\/)(utils?|helpers?|common)([./]|$)/
    expect(files.filter((file) => path.test(file.slice(folder.length)))).toEqual([])
  })

  test("writes its file names in kebab-case", () => {
    expect(files.filter((file) => !/^[a-z0-9-]+(\.d)?\.ts$/.test(basename(file)))).toEqual([])
  })

  // `commands/index.ts` is the command `treelog index`.
  const entryPoints = files.filter((file) => basename(file) === "index.ts" && !file.includes("/commands/"))
  test.each(entryPoints)("%s only re-exports, by name", (file) => {
    expect(readText(file).replace(COMMENT, "").replace(NAMED_RE_EXPORT, "").trim()).toBe("")
  })
})
