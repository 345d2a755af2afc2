// Runs commands and vitest, and counts. The last line is `N passed, N failed`, alone.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { CACHE, capture, ROOT } from "./tools.mjs"

/** Runs a command, and prints its time; its output, if it fails. Resolves to whether it succeeded. */
export async function timed({ name, command, args, env, signal }) {
  const begin = performance.now()
  const { code, output } = await capture(command, args, { env, signal })
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
  const succeeded = await timed({ name: `tests, ${project}`, command: "vitest", args: all, env, signal })
  // Where vitest did not come as far as writing a report, nothing passed.
  const { testResults = [], ...counts } = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : {}
  const commands = testResults.flatMap(commandsOfFailures)
  if (commands.length > 0) console.log(["To run them alone:", ...commands].join("\n  "))
  return {
    passed: counts.numPassedTests ?? 0,
    failed: succeeded ? commands.length : Math.max(commands.length, 1),
    skipped: (counts.numPendingTests ?? 0) + (counts.numTodoTests ?? 0),
  }
}

/** A command for each test of a file that failed; one where the file could not even be loaded. */
function commandsOfFailures({ name, status, assertionResults }) {
  const file = `npx vitest run ${relative(ROOT, name).replaceAll("\\", "/")}`
  if (status === "failed" && assertionResults.length === 0) return [file]
  const failed = assertionResults.filter((test) => test.status === "failed")
  // A dot for what means something in a shell or a regular expression.
  return failed.map(({ fullName }) => `${file} -t "^${fullName.replace(/[^\w ,:;/@=%-]/g, ".")}$"`)
}

/** Awaits counts, prints why there are none, and their sum; sets the exit code. */
export async function finish(counting) {
  const counts = await counting.catch((error) => {
    console.log(error.message)
    return [NOTHING_RUN]
  })
  const sum = (name) => counts.reduce((total, one) => total + one[name], 0)
  const isEmpty = sum("passed") + sum("failed") === 0
  if (isEmpty) console.log("No test ran: no file has these words in its path.")
  const [failed, skipped] = [isEmpty ? 1 : sum("failed"), sum("skipped")]
  console.log(`${sum("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  process.exitCode = failed > 0 ? 1 : 0
}

const NOTHING_RUN = { passed: 0, failed: 1, skipped: 0 }
