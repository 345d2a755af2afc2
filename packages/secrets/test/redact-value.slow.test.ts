import { redactValue } from "@treelog/secrets"
import { plantedSecrets } from "@treelog-internal/test-kit/secrets"
import { describe, expect, it } from "vitest"

const [SECRET] = plantedSecrets(5)
  .slice(2)
  .map(({ text }) => text) as [string]
const MARK = "[redacted GitHub token]"

describe("redactValue", () => {
  it("takes nesting of any depth, and keys that are no fields elsewhere", async () => {
    let deep: unknown = SECRET
    for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 === 0 ? [deep] : { deep }
    let found = redactValue(deep).value
    while (typeof found === "object" && found !== null) found = Object.values(found)[0]
    expect(found).toBe(MARK)
    const value = JSON.parse(`{"__proto__":{"x":"${SECRET}"},"constructor":"${SECRET}"}`)
    expect(JSON.stringify(redactValue(value).value)).toBe(`{"__proto__":{"x":"${MARK}"},"constructor":"${MARK}"}`)
  })
})
