import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { pnpm } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const PACKAGES = join(ROOT, "packages")
/** Built last. */
const MAIN = join(PACKAGES, "cli", "dist", "run.js")

function newestSource() {
  const shared = ["agent-files", "fs", "sqlite", "text"].map((name) => join(ROOT, "internal", name))
  const folders = [...shared, ...readdirSync(PACKAGES).map((name) => join(PACKAGES, name))]
  const times = folders.flatMap((folder) => {
    const source = join(folder, "src")
    if (!existsSync(source)) return []
    return readdirSync(source, { recursive: true }).map((path) => statSync(join(source, path)).mtimeMs)
  })
  return Math.max(...times)
}

/** Builds the command, and the packages that it is made of, unless what is built is newer than the sources. */
export async function buildCommand() {
  if (existsSync(MAIN) && statSync(MAIN).mtimeMs > newestSource()) return
  const packageIn = (text) => /packages\/([\w-]+) build: Done/.exec(text)?.[1]
  await pnpm("Building the command", packageIn, ["--filter", "@treelog/cli...", "run", "build"])
}
