import fc from "fast-check"

/** Keys that tempt code into mistakes: prototype names, numbers, the format's own names. */
const oddKey = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "7",
  "0",
  "",
  "type",
  "id",
  "\ud83d",
)

const anyText = fc.string({ unit: "binary", maxLength: 12 })

/** Any JSON value, as JSON.parse gives it: no -0, own `__proto__` keys are data, lone surrogates included. */
export const jsonValue: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3, stringUnit: "binary" })
  .map((value) => JSON.parse(JSON.stringify(value)))

/** Any JSON object, as JSON.parse gives it. */
export const jsonObject: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.tuple(fc.oneof(oddKey, anyText), jsonValue), { maxLength: 6 })
  .map((members) => objectOf(members))

/** Fields that no reader knows, with names that no reader uses. */
export const unknownFields: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.tuple(anyText, jsonValue), { maxLength: 3 })
  .map((members) => objectOf(members.map(([key, value]) => [`x-${key}`, value])))

function objectOf(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const text = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")
  return JSON.parse(`{${text}}`)
}
