// npm run torture: every fault-injection test in its long form. npm run torture -- kill damage --count 50 --seed 7: those, 50 times.
import { parseArgs } from "node:util"
import { FAULT_TESTS } from "./src/fault-tests.js"
import { bundlePrograms } from "./src/programs.js"
import { runFaultTest } from "./src/run-fault-test.js"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string" }, seed: { type: "string", default: "20261121" } },
})
const seed = Number(values.seed)
const unknown = positionals.filter((name) => !FAULT_TESTS.some((test) => test.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `No fault-injection test is called ${unknown.join(", ")}. There are: ${FAULT_TESTS.map(({ name }) => name).join(", ")}.\n`,
  )
  process.exit(2)
}
const { program, remove } = await bundlePrograms()
let broken = 0
for (const test of FAULT_TESTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const count = values.count === undefined ? test.counts.long : Number(values.count)
  process.stdout.write(`${test.name}: ${test.promise}\n`)
  const started = performance.now()
  const result = await runFaultTest(test, { program, count, seed, progress: progressOn(test.name, count) })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (result.skipped) process.stdout.write(`  skipped: ${result.skipped}\n`)
  else
    process.stdout.write(
      `  tried ${result.tried} times with seed ${seed} in ${seconds} s; broken: ${result.broken.length}\n`,
    )
  for (const [what, times] of Object.entries(result.figures)) process.stdout.write(`    ${what}: ${times}\n`)
  for (const finding of result.broken.slice(0, 20)) process.stdout.write(`  BROKEN ${finding}\n`)
  broken += result.broken.length
}
await remove()
process.exitCode = broken === 0 ? 0 : 1

function progressOn(name: string, count: number): (done: number) => void {
  let reported = performance.now()
  return (done) => {
    if (performance.now() - reported < 5_000) return
    reported = performance.now()
    process.stderr.write(`  ${name}: ${done} of ${count}\n`)
  }
}
