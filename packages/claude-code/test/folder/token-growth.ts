import type { SessionEntry } from "@treelog/session-core"
import { contentText, isEntry } from "@treelog/session-core"
import { pathOf } from "./units.js"

/** From one reply to the next: characters of the results between them, and by how many tokens the context grew. */
export interface Step {
  readonly results: readonly number[]
  readonly growth: number
}

/** The steps of the path that have only results between two replies. */
export function tokenSteps(entries: readonly SessionEntry[]): Step[] {
  const path = pathOf(entries)
  const steps: Step[] = []
  let previous: { context: number; output: number } | undefined
  let between: number[] | undefined = []
  for (const entry of entries.filter(({ id }) => path.has(id))) {
    if (isEntry(entry, "compaction")) previous = between = undefined
    else if (isEntry(entry, "custom_message")) between = undefined
    if (!isEntry(entry, "message")) continue
    const { message } = entry
    if (message.role === "assistant" && "usage" in message && typeof message.usage === "object") {
      const { input, output, cacheRead, cacheWrite } = message.usage as Record<string, number>
      const context = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
      if (context === 0) continue
      if (previous && between && between.length > 0)
        steps.push({ results: between, growth: context - previous.context - previous.output })
      previous = { context, output: output ?? 0 }
      between = []
    } else if (message.role === "toolResult" && "content" in message)
      between?.push([...contentText(message.content)].length)
    else if (message.role === "user") between = undefined
  }
  return steps
}

/** The square of the correlation over steps with parallel calls; undefined for fewer than three. */
export function parallelR2(steps: readonly Step[]): number | undefined {
  const pairs = steps
    .filter(({ results, growth }) => results.length > 1 && Math.abs(growth) < 60_000)
    .map(({ results, growth }): [number, number] => [results.reduce((sum, length) => sum + length, 0), growth])
  if (pairs.length < 3) return undefined
  const mean = (index: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const sum = (of: (x: number, y: number) => number): number =>
    pairs.reduce((total, [x, y]) => total + of(x - meanX, y - meanY), 0)
  return sum((x, y) => x * y) ** 2 / (sum((x) => x * x) * sum((_, y) => y * y))
}
