// npm run check: types, lint, and the fast tests of what changed since the last commit and of all that imports it. Nothing is built.
//   npm run check -- --since main             of what changed since a commit
//   npm run check -- --all                    all fast tests
//   npm run check -- packages/storage-fs      the fast tests of a folder

import { finish, runVitest, timed } from "./run-vitest.mjs"
import { ensureInstalled } from "./setup.mjs"
import { LINT, TYPES } from "./test-steps.mjs"
import { capture } from "./tools.mjs"

/** What vitest is asked for. */
async function selection([first, ...rest]) {
  if (first === "--all") return rest
  if (first !== undefined && first !== "--since") return [first, ...rest]
  const [since = "HEAD", ...others] = rest
  const { code, output } = await capture("git", ["diff", "--name-only", since])
  if (code !== 0) throw new Error(`git knows no ${since}: ${output.trim()}`)
  const added = await capture("git", ["ls-files", "--others", "--exclude-standard"])
  if (`${output}${added.output}`.trim() !== "") return ["--changed", since, ...others]
  console.log(`Nothing changed since ${since}: all fast tests run.`)
  return others
}

async function run() {
  await ensureInstalled()
  const args = await selection(process.argv.slice(2))
  const checks = Promise.all([LINT, ...TYPES].map(timed))
  const tests = await runVitest("fast", args)
  const failed = (await checks).filter((succeeded) => !succeeded).length
  return [tests, { passed: 0, failed, skipped: 0 }]
}

await finish(run())
