// npm run check: types, lint, and the fast tests that import what changed since the last commit, of the packages that changed.
// What imports these packages is checked by `npm test`: for a file of the core, that is nearly every test. Nothing is built.
//   npm run check -- --since main             of what changed since a commit
//   npm run check -- --all                    all fast tests
//   npm run check -- packages/storage-fs      the fast tests of a folder

import { finish, runVitest, timed } from "./run-vitest.mjs"
import { ensureInstalled } from "./setup.mjs"
import { lint, TYPES } from "./test-steps.mjs"
import { capture } from "./tools.mjs"

const REPOSITORY_TESTS = ["internal/published", "internal/releases"]
/** The package of a file, or `bench/`, `examples/`: paths that vitest looks for in those of the tests. */
const FOLDER = /^(?:(?:packages|internal)\/[^/]+|bench|examples)\//

/** What vitest is asked for, and which files are linted where not all are. */
async function selection([first, ...rest]) {
  if (first === "--all") return { tests: rest }
  if (first !== undefined && first !== "--since") return { tests: [first, ...rest] }
  const [since = "HEAD", ...others] = rest
  const { code, output } = await capture("git", ["diff", "--name-only", "--diff-filter=d", since])
  if (code !== 0) throw new Error(`git knows no ${since}: ${output.trim()}`)
  const added = await capture("git", ["ls-files", "--others", "--exclude-standard"])
  const files = `${output}${added.output}`.split("\n").filter((name) => name !== "")
  const folders = files.filter((name) => /\.tsx?$/.test(name)).flatMap((name) => FOLDER.exec(name) ?? [])
  // No test imports a document or a script: where nothing else changed, those of the whole repository run.
  const changed = folders.length > 0 ? ["--changed", since, ...new Set(folders)] : REPOSITORY_TESTS
  if (files.length > 0) return { tests: [...changed, ...others], files }
  console.log(`Nothing changed since ${since}: all fast tests run.`)
  return { tests: others }
}

async function run() {
  await ensureInstalled()
  const { tests, files } = await selection(process.argv.slice(2))
  const checks = Promise.all([lint(files), ...TYPES].map(timed))
  const counts = await runVitest("fast", tests)
  const failed = (await checks).filter((succeeded) => !succeeded).length
  return [counts, { passed: 0, failed, skipped: 0 }]
}

await finish(run())
