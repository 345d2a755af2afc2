// npm run bench: sets up, builds, and asks every question of bench/. npm run bench -- growth: that one. See bench/README.md.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { ensureInstalled } from "./setup.mjs"
import { capture, ROOT } from "./tools.mjs"

const BENCH = join(ROOT, "bench")

async function buildPackages() {
  const args = [
    "run",
    "build",
    "--filter=@treelog/storage-fs...",
    "--filter=@treelog/blob-store...",
    "--filter=@treelog/cli...",
    "--output-logs=errors-only",
  ]
  const { code, output } = await capture("turbo", args)
  if (code === 0) return
  process.stderr.write(output)
  throw new Error("The build failed")
}

/** The questions are bundled; what they measure is the built packages, as installed. */
async function bundleQuestions() {
  const { build } = await import("esbuild")
  const common = {
    absWorkingDir: BENCH,
    outdir: "dist",
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@treelog/*"],
    logLevel: "warning",
  }
  await build({ ...common, entryPoints: ["main.ts", "sample.ts"], splitting: true })
  // All that decides what the data is goes into one file, whose hash names the data.
  await build({ ...common, entryPoints: ["make-data.ts"] })
}

function run() {
  const args = [join(BENCH, "dist", "main.js"), ...process.argv.slice(2)]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "inherit" })
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)))
}

try {
  await ensureInstalled()
  await buildPackages()
  await bundleQuestions()
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
