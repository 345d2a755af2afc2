import fc from "fast-check"

/** For each entry in file order the ordinal of its parent; null for a root. */
export type TreeShape = readonly (number | null)[]

/** Trees as a writer makes them: each parent comes before its child. */
export const soundShape: fc.Arbitrary<TreeShape> = fc
  .array(fc.option(fc.nat(1000), { freq: 8 }), { minLength: 1, maxLength: 30 })
  .map((picks) => picks.map((pick, ordinal) => (pick === null || ordinal === 0 ? null : pick % ordinal)))

/** Any links at all: forward, to itself, in circles, and to entries that are not there (ordinals beyond the end). */
export const anyShape: fc.Arbitrary<TreeShape> = fc.array(fc.option(fc.nat(33), { freq: 8 }), {
  minLength: 1,
  maxLength: 30,
})

/** The id of an entry by its ordinal: 8 hex digits. */
export function shapeId(ordinal: number): string {
  return ordinal.toString(16).padStart(8, "0")
}
