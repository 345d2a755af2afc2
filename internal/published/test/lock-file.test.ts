import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { ROOT, readText } from "./repository.js"

const files = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ".npmrc"]

test.each(files.filter((file) => existsSync(join(ROOT, file))))("%s names no registry", (file) => {
  const lines = readText(file).split("\n")
  expect(lines.filter((line) => /https?:\/\/|tarball:|registry\s*[=:]/.test(line))).toEqual([])
})
