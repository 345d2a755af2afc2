import { isJsonObject, type JsonObject } from "../entry/json-object.js"
import type { Usage } from "../entry/message.js"

/** The sum of the usage of two calls. Fields that neither of them reports stay absent. */
export function addUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (!first || !second) return first ?? second
  const sum = sumOf(first as unknown as JsonObject, second as unknown as JsonObject)
  // Where only one reports a total, the sum of the other's parts is used for the other.
  return { ...sum, ...("totalTokens" in sum && { totalTokens: totalOf(first) + totalOf(second) }) } as unknown as Usage
}

/** A number of a stored object; 0 when it is missing or not a number, which happens in real files. */
export function numberIn(value: unknown, key: string): number {
  const number = isJsonObject(value) ? value[key] : undefined
  return typeof number === "number" && Number.isFinite(number) ? number : 0
}

/** All tokens of a usage: the reported total, or else the sum of its parts. */
export function totalOf(usage: unknown): number {
  const parts = ["input", "output", "cacheRead", "cacheWrite"]
  return numberIn(usage, "totalTokens") || parts.reduce((sum, part) => sum + numberIn(usage, part), 0)
}

/** Field by field: numbers are added, objects summed in turn, of anything else the first is taken. */
function sumOf(first: JsonObject, second: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...keys].map((key) => [key, fieldSum(first[key], second[key])]))
}

function fieldSum(first: unknown, second: unknown): unknown {
  if (typeof first === "number" && typeof second === "number") return first + second
  return isJsonObject(first) && isJsonObject(second) ? sumOf(first, second) : (first ?? second)
}
