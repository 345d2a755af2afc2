import type { Random } from "./random.js"

/** Tokens and cost of one answer, with the keys of the real writers. */
export function usageOf(random: Random, output: number) {
  const input = random.between(1, 3_000)
  const cacheRead = random.chance(0.8) ? random.between(1_000, 150_000) : 0
  const cacheWrite = random.chance(0.5) ? random.between(0, 4_000) : 0
  const cost = {
    input: input * 3e-6,
    output: output * 15e-6,
    cacheRead: cacheRead * 3e-7,
    cacheWrite: cacheWrite * 375e-8,
  }
  const total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite
  const totalTokens = input + output + cacheRead + cacheWrite
  return { input, output, cacheRead, cacheWrite, totalTokens, cost: { ...cost, total } }
}
