// npm run torture: sets up, bundles internal/torture, and runs its trials. npm run torture -- kill --count 50: that one.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { ensureInstalled } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const TORTURE = join(ROOT, "internal", "torture")

/** The trials run the sources, as the tests do. */
async function bundle() {
  const { build } = await import("esbuild")
  await build({
    absWorkingDir: TORTURE,
    entryPoints: ["main.ts"],
    outdir: "dist",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@treelog/source"],
    external: ["esbuild"],
    define: { "import.meta.dirname": JSON.stringify(join(TORTURE, "src")) },
    logLevel: "warning",
  })
}

function run() {
  const args = [join(TORTURE, "dist", "main.js"), ...process.argv.slice(2)]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" })
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)))
}

try {
  await ensureInstalled()
  await bundle()
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
