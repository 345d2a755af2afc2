import type { Usage } from "@treelog/session-core"
import type { ResponseUsage } from "../source/record-facts.js"

export function usageFields({ input, output, cacheRead, cacheWrite }: ResponseUsage): Usage {
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite }
}
