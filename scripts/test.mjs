// npm test: set-up, every step, the tests. The last line is `N passed, N failed`, alone.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { ensureInstalled } from "./setup.mjs"
import { ensureSystemPackages } from "./system-packages.mjs"
import { STEPS } from "./test-steps.mjs"
import { CACHE, capture } from "./tools.mjs"

const REPORT = join(CACHE, "vitest.json")
const VITEST = {
  name: "tests",
  command: "vitest",
  args: ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`, ...process.argv.slice(2)],
}

async function timed({ name, command, args }) {
  const begin = performance.now()
  const { code, output } = await capture(command, args)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} ${seconds} s`)
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

/** Counts of the JSON report. A file that could not even be loaded counts as one failure. */
function readCounts(succeeded) {
  // Where vitest did not come as far as writing a report, nothing passed.
  const report = existsSync(REPORT) ? JSON.parse(readFileSync(REPORT, "utf8")) : {}
  const unloaded = (report.testResults ?? []).filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  )
  const failed = (report.numFailedTests ?? 0) + unloaded.length
  return {
    passed: report.numPassedTests ?? 0,
    failed: succeeded ? failed : Math.max(failed, 1),
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
  }
}

function finish({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  process.exitCode = failed > 0 ? 1 : 0
}

async function run() {
  await ensureInstalled()
  await ensureSystemPackages()
  for (const step of STEPS) {
    if (!(await timed(step))) return { passed: 0, failed: 1, skipped: 0 }
  }
  mkdirSync(CACHE, { recursive: true })
  rmSync(REPORT, { force: true })
  return readCounts(await timed(VITEST))
}

finish(
  await run().catch((error) => {
    console.log(error.message)
    return { passed: 0, failed: 1, skipped: 0 }
  }),
)
