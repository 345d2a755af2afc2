// npm run check-codex -- <folder>: compares the conversion of a CODEX_HOME with the facts.json and golden/ in it.
import { join, resolve } from "node:path"
import { bundle } from "./bundle.mjs"
import { runScript } from "./run-script.mjs"
import { ROOT } from "./tools.mjs"

const CODEX = join(ROOT, "packages", "codex")

const bundleCheck = () =>
  bundle(CODEX, {
    entryPoints: ["test/child/check-home.ts"],
    conditions: ["@treelog/source"],
    outdir: join(CODEX, "node_modules", ".check"),
  })

try {
  await bundleCheck()
  const folders = process.argv.slice(2).map((folder) => resolve(folder))
  process.exitCode = await runScript(join(CODEX, "node_modules", ".check", "check-home.js"), folders)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
