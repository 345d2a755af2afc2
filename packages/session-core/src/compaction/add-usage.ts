import { isJsonObject } from "../entry/json-object.js"
import type { Usage } from "../entry/message.js"

/** The usage of two calls together. What neither reports is not made up. */
export function addUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (!first || !second) return first ?? second
  return {
    ...sums(first, second, ["input", "output", "cacheRead", "cacheWrite"]),
    ...((first.totalTokens ?? second.totalTokens) !== undefined && { totalTokens: totalOf(first) + totalOf(second) }),
    ...((first.cost ?? second.cost) !== undefined && {
      cost: sums(first.cost, second.cost, ["input", "output", "cacheRead", "cacheWrite", "total"]),
    }),
  }
}

/** A number of a stored object; 0 where it is missing or no number, as in files of the wild. */
export function numberIn(value: unknown, key: string): number {
  const number = isJsonObject(value) ? value[key] : undefined
  return typeof number === "number" && Number.isFinite(number) ? number : 0
}

/** All tokens of a usage: the total that was reported, otherwise the sum of its parts. */
export function totalOf(usage: unknown): number {
  const parts = ["input", "output", "cacheRead", "cacheWrite"]
  return numberIn(usage, "totalTokens") || parts.reduce((sum, part) => sum + numberIn(usage, part), 0)
}

function sums<Key extends string>(first: unknown, second: unknown, keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, numberIn(first, key) + numberIn(second, key)])) as Record<
    Key,
    number
  >
}
