import type { Work } from "./question.js"
import { work } from "./work.js"

/** How long each took, in milliseconds: in all, and of the processor, in which what other work of the machine takes is not. */
interface Timed<Result> {
  readonly times: number[]
  readonly cpuTimes: number[]
  readonly last: Result | undefined
}

/** Does the same with each input, one after the other, and measures each. */
export async function timed<Input, Result>(
  inputs: readonly Input[],
  run: (input: Input) => Result | Promise<Result>,
): Promise<Timed<Result>> {
  const [times, cpuTimes]: [number[], number[]] = [[], []]
  let last: Result | undefined
  for (const input of inputs) {
    const [begin, cpu] = [performance.now(), process.cpuUsage()]
    last = await run(input)
    const { user, system } = process.cpuUsage(cpu)
    times.push(performance.now() - begin)
    cpuTimes.push((user + system) / 1_000)
  }
  return { times, cpuTimes, last }
}

/** `timed` as a work. */
export function each<Input>(inputs: readonly Input[], run: (input: Input) => unknown): Work {
  return work(
    () => timed(inputs, run),
    ({ times }) => times.length,
    ({ times, cpuTimes }) => {
      const cpu = percentiles(cpuTimes)
      return { ...percentiles(times), "p50 cpu ms": cpu["p50 ms"], "p95 cpu ms": cpu["p95 ms"] }
    },
  )
}

/** The figures of many times, in milliseconds: in the middle, and that of one in twenty. */
export function percentiles(times: readonly number[]): Readonly<Record<"p50 ms" | "p95 ms", number>> {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { "p50 ms": at(0.5), "p95 ms": at(0.95) }
}
