// Runs vitest, and counts. The last line is `N passed, N failed`, alone.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { CACHE, capture } from "./tools.mjs"

const REPORT = join(CACHE, "vitest.json")

/** Runs a command, and prints its time; its output, if it fails. Resolves to whether it succeeded. */
export async function timed({ name, command, args, env, signal }) {
  const begin = performance.now()
  const { code, output } = await capture(command, args, env, signal)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} ${seconds} s`)
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

/** Runs the tests, with more arguments for vitest, until the signal is aborted. Resolves to the counts for `finish`. */
export async function runVitest(args, { env, signal } = {}) {
  mkdirSync(CACHE, { recursive: true })
  rmSync(REPORT, { force: true })
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${REPORT}`]
  return readCounts(
    await timed({ name: "tests", command: "vitest", args: ["run", ...reporters, ...args], env, signal }),
  )
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

/** Prints the counts that the run resolves to, and sets the exit code. */
export async function finish(run) {
  const { passed, failed, skipped } = await run.catch((error) => {
    console.log(error.message)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  process.exitCode = failed > 0 ? 1 : 0
}
