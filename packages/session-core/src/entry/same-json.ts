import type { JsonObject } from "./values.js"

/** Equal as JSON, whatever the order of keys. Without recursion: the data of a mode may be nested to any depth. */
export function sameJson(one: unknown, other: unknown): boolean {
  const open: [unknown, unknown][] = [[one, other]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (Array.isArray(a) !== Array.isArray(b) || !isContainer(a) || !isContainer(b)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length || !keys.every((key) => Object.hasOwn(b, key))) return false
    for (const key of keys) open.push([a[key], b[key]])
  }
  return true
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null
}
