import { createHash } from "node:crypto"

/** Names what a list holds: the same values in the same order, with the same keys in the same order, have one name. */
export function digestOf(values: Iterable<unknown>): string {
  const hash = createHash("sha256")
  for (const value of values) hash.update(`${JSON.stringify(value)}\n`)
  return hash.digest("hex").slice(0, 12)
}
