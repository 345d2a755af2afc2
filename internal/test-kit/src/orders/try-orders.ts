import fc from "fast-check"
import { program } from "./program.js"
import { runProgram } from "./run-program.js"

/**
 * Runs so many random programs, each in a random order.
 * @returns the program that broke something, with the order of its calls, made as small as it gets; undefined where none did
 */
export async function tryOrders(options: {
  count: number
  seed: number
  progress: (done: number) => void
}): Promise<string | undefined> {
  let done = 0
  const inAnyOrder = fc.asyncProperty(program, fc.scheduler(), async (steps, scheduler) => {
    await runProgram(steps, scheduler)
    done += 1
    options.progress(done)
  })
  const result = await fc.check(inAnyOrder, { numRuns: options.count, seed: options.seed })
  return result.failed ? `${String(result.errorInstance)}\n${await fc.asyncDefaultReportMessage(result)}` : undefined
}
