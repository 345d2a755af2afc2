// npm run torture: sets up, bundles internal/torture, and runs its fault-injection tests. npm run torture -- kill --count 50: that one.
import { join } from "node:path"
import { bundle } from "./bundle.mjs"
import { runScript } from "./run-script.mjs"
import { ensureInstalled } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const TORTURE = join(ROOT, "internal", "torture")

/** They run the sources, as the tests do. */
const bundleTrials = () =>
  bundle(TORTURE, {
    entryPoints: ["main.ts"],
    conditions: ["@treelog/source"],
    external: ["esbuild", "pg"],
    define: { "import.meta.dirname": JSON.stringify(join(TORTURE, "src")) },
  })

try {
  await ensureInstalled()
  await bundleTrials()
  process.exitCode = await runScript(join(TORTURE, "dist", "main.js"), process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
