// The tests, in two parts that together are all of them (CONTRIBUTING.md, "Tests"):
//   npm test            checks, and the tests that are fast, with one of a browser and one of a packed package
//   npm run test:slow   the others: processes, faults, installations, other runtimes, servers, browsers
//   npm run test:all    both
//   npm run test:long   both, and they try ten times as much of what is random
// Paths and options of vitest narrow them: npm test -- packages/storage-fs. The last line is `N passed, N failed`, alone.
import { buildPackages } from "./build-packages.mjs"
import { finish, runVitest, timed } from "./run-vitest.mjs"
import { ensurePackages, ensureSqliteCompiled } from "./setup.mjs"
import { ensureSystemPackages } from "./system-packages.mjs"
import { CHECKS, TYPES_AGAIN } from "./test-steps.mjs"

const PARTS = { slow: ["slow"], all: ["fast", "slow"], long: ["fast", "slow"] }
const [which, ...rest] = process.argv.slice(2)
const [parts, args] = which in PARTS ? [PARTS[which], rest] : [["fast"], process.argv.slice(2)]
if (which === "long") process.env.TREELOG_LONG ??= "10"

/** @throws when one fails, which has printed why */
async function inOrder(steps) {
  for (const step of steps) if (!(await timed(step))) throw new Error(`${step.name} failed; the tests did not run`)
}

/** What leaves a processor idle (compiling SQLite, a browser, a server) runs beside the rest. */
async function runFast() {
  await Promise.all([buildPackages("build"), ensureSqliteCompiled(), inOrder(CHECKS)])
  // One after the other: the first of them empties the cache of vitest where it is old.
  return [await runVitest("fast", args), await runVitest("smoke", args)]
}

async function runSlow() {
  await ensureSystemPackages()
  await ensureSqliteCompiled()
  await buildPackages("types")
  if (which === "long") await inOrder(TYPES_AGAIN)
  const inTurn = async (...projects) => {
    const counts = []
    for (const project of projects) counts.push(await runVitest(project, args))
    return counts
  }
  return (await Promise.all([inTurn("slow"), inTurn("browser", "postgres", "packed")])).flat()
}

async function run() {
  await ensurePackages()
  const fast = parts.includes("fast") ? await runFast() : []
  const slow = parts.includes("slow") ? await runSlow() : []
  return [...fast, ...slow]
}

await finish(run())
