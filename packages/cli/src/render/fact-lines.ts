import type { Style } from "@treelog-internal/text"
import { cleanLine } from "@treelog-internal/text"
import { padded, widthOf } from "./width.js"

export type Fact = readonly [name: string, value: string]

/** What there is to know of one thing, a line each: the names in a column before the values. */
export function factLines(facts: readonly Fact[], { paint }: Style): string[] {
  const width = Math.max(0, ...facts.map(([name]) => widthOf(name)))
  return facts.map(([name, value]) => `${paint("dim", padded(name, width))}  ${cleanLine(value)}`)
}
