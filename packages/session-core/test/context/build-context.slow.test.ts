import { buildSessionContext } from "@treelog/session-core"
import { userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

describe("buildSessionContext", () => {
  it("is built of a path of 100,000 entries", () => {
    const deep = Array.from({ length: 100_000 }, (_, n) => userEntry(`${n}`, n === 0 ? null : `${n - 1}`))
    expect(buildSessionContext(deep).messages).toHaveLength(100_000)
  })
})
