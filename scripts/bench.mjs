// npm run bench: sets up, builds, and asks every question of bench/. npm run bench -- growth: that one. See bench/README.md.
import { join } from "node:path"
import { buildPackages } from "./build-packages.mjs"
import { bundle } from "./bundle.mjs"
import { runScript } from "./run-script.mjs"
import { ensureInstalled } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const BENCH = join(ROOT, "bench")

/** The questions are bundled; what they measure is the built packages, as installed. */
async function bundleQuestions() {
  const external = ["@treelog/*", "pg"]
  await bundle(BENCH, { entryPoints: ["main.ts", "sample.ts"], splitting: true, external })
  // All that decides what the data is goes into one file, whose hash names the data.
  await bundle(BENCH, { entryPoints: ["make-data.ts"], external })
}

try {
  await ensureInstalled()
  await buildPackages("build", "storage-fs", "storage-postgres", "blob-store", "pi", "cli")
  await bundleQuestions()
  process.exitCode = await runScript(join(BENCH, "dist", "main.js"), process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
