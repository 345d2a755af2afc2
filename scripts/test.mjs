// npm test: set-up, build, checks, tests. The last line is `N passed, N failed`, alone. What leaves a processor idle (compiling
// SQLite, tests that wait for a browser) runs beside the rest.
import { finish, runVitest, timed } from "./run-vitest.mjs"
import { ensurePackages, ensureSqliteCompiled } from "./setup.mjs"
import { ensureSystemPackages } from "./system-packages.mjs"
import { BUILD, CHECKS } from "./test-steps.mjs"

/** @throws when one fails, which has printed why */
async function inOrder(steps) {
  for (const step of steps) if (!(await timed(step))) throw new Error(`${step.name} failed; the tests did not run`)
}

async function setUp() {
  await ensurePackages()
  await ensureSystemPackages()
}

const args = process.argv.slice(2)
const ready = setUp()
const compiled = ready.then(ensureSqliteCompiled)
const built = ready.then(() => inOrder(BUILD))
const node = Promise.all([compiled, built.then(() => inOrder(CHECKS))]).then(() => runVitest("node", args))
await finish(
  built.then(() => runVitest("browser", args)),
  node,
  node.then(() => runVitest("postgres", args)),
)
