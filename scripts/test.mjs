// npm test: set-up, build, checks, tests. The last line is `N passed, N failed`, alone. What leaves a processor idle (compiling
// SQLite, tests that wait for a browser) runs beside the rest.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { ensurePackages, ensureSqliteCompiled } from "./setup.mjs"
import { ensureSystemPackages } from "./system-packages.mjs"
import { BUILD, CHECKS } from "./test-steps.mjs"
import { CACHE, capture } from "./tools.mjs"

async function timed({ name, command, args }) {
  const begin = performance.now()
  const { code, output } = await capture(command, args)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} ${seconds} s`)
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

/** @throws when one fails, which has printed why */
async function inOrder(steps) {
  for (const step of steps) if (!(await timed(step))) throw new Error(`${step.name} failed; the tests did not run`)
}

/** Runs the tests of one project of vitest, and counts them. */
async function runTests(project) {
  const report = join(CACHE, `vitest-${project}.json`)
  mkdirSync(CACHE, { recursive: true })
  rmSync(report, { force: true })
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const args = ["run", "--project", project, "--passWithNoTests", ...reporters, ...process.argv.slice(2)]
  return readCounts(report, await timed({ name: `tests, ${project}`, command: "vitest", args }))
}

/** Counts of the JSON report. A file that could not even be loaded counts as one failure. */
function readCounts(path, succeeded) {
  // Where vitest did not come as far as writing a report, nothing passed.
  const report = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}
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

/** The counts of each project. What stopped one has been printed, or is printed here; the other is still run to its end. */
async function run() {
  await ensurePackages()
  await ensureSystemPackages()
  const compiled = ensureSqliteCompiled()
  const built = inOrder(BUILD)
  const browser = built.then(() => runTests("browser"))
  const node = Promise.all([compiled, built.then(() => inOrder(CHECKS))]).then(() => runTests("node"))
  const results = await Promise.allSettled([browser, node])
  const reasons = new Set(results.flatMap(({ reason }) => (reason ? [reason.message] : [])))
  for (const reason of reasons) console.log(reason)
  return results.map(({ value }) => value ?? NOTHING_RUN)
}

const NOTHING_RUN = { passed: 0, failed: 1, skipped: 0 }

function finish(counts) {
  const sum = (name) => counts.reduce((total, each) => total + each[name], 0)
  const skipped = sum("skipped")
  console.log(`${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  process.exitCode = sum("failed") > 0 ? 1 : 0
}

finish(
  await run().catch((error) => {
    console.log(error.message)
    return [NOTHING_RUN]
  }),
)
