import type { Work } from "./question.js"
import { work } from "./work.js"

interface Taken {
  readonly ms: number
  /** Of the processor: what other work of the machine takes is not in it. */
  readonly cpuMs: number
}

/** Does the same with each input, and measures each. */
export function each<Input>(inputs: readonly Input[], run: (input: Input) => unknown): Work {
  const times = async (): Promise<Taken[]> => {
    const taken: Taken[] = []
    for (const input of inputs) {
      const [begin, cpu] = [performance.now(), process.cpuUsage()]
      await run(input)
      const { user, system } = process.cpuUsage(cpu)
      taken.push({ ms: performance.now() - begin, cpuMs: (user + system) / 1_000 })
    }
    return taken
  }
  return work(times, ({ length }) => length, percentiles)
}

function percentiles(taken: readonly Taken[]): Record<string, number> {
  const at = (part: number, figure: keyof Taken): number => {
    const sorted = taken.map((one) => one[figure]).sort((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  }
  return {
    "p50 ms": at(0.5, "ms"),
    "p95 ms": at(0.95, "ms"),
    "p50 cpu ms": at(0.5, "cpuMs"),
    "p95 cpu ms": at(0.95, "cpuMs"),
  }
}
