// Runs commands and vitest, and counts. The last line is `N passed, N failed`, alone.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { CACHE, capture } from "./tools.mjs"

/** Runs a command, and prints its time; its output, if it fails. Resolves to whether it succeeded. */
export async function timed({ name, command, args, env, signal }) {
  const begin = performance.now()
  const { code, output } = await capture(command, args, env, signal)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${name} ${seconds} s`)
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

/** Runs the tests of one project of vitest, with more arguments, until the signal is aborted. Resolves to their counts. */
export async function runVitest(project, args, { env, signal } = {}) {
  const report = join(CACHE, `vitest-${project}.json`)
  mkdirSync(CACHE, { recursive: true })
  rmSync(report, { force: true })
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const all = ["run", "--project", project, "--passWithNoTests", ...reporters, ...args]
  return readCounts(report, await timed({ name: `tests, ${project}`, command: "vitest", args: all, env, signal }))
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

/** Runs all to their ends, prints why one stopped, and the sum of what they resolve to; sets the exit code. */
export async function finish(...runs) {
  const results = await Promise.allSettled(runs)
  const reasons = new Set(results.flatMap(({ reason }) => (reason ? [reason.message] : [])))
  for (const reason of reasons) console.log(reason)
  const sum = (name) => results.reduce((total, { value }) => total + (value ?? NOTHING_RUN)[name], 0)
  const isEmpty = sum("passed") + sum("failed") === 0
  if (isEmpty) console.log("No test ran: no file has these words in its path.")
  const [failed, skipped] = [isEmpty ? 1 : sum("failed"), sum("skipped")]
  console.log(`${sum("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  process.exitCode = failed > 0 ? 1 : 0
}

const NOTHING_RUN = { passed: 0, failed: 1, skipped: 0 }
