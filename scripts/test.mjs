// npm test: set-up, every step, the tests. The last line is `N passed, N failed`, alone.
import { finish, runVitest, timed } from "./run-vitest.mjs"
import { ensureInstalled } from "./setup.mjs"
import { ensureSystemPackages } from "./system-packages.mjs"
import { STEPS } from "./test-steps.mjs"

async function run() {
  await ensureInstalled()
  await ensureSystemPackages()
  for (const step of STEPS) {
    if (!(await timed(step))) return { passed: 0, failed: 1, skipped: 0 }
  }
  return runVitest(process.argv.slice(2))
}

await finish(run())
