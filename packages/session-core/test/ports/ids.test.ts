import { randomIds } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"

const MANY = 2_000

describe("randomIds", () => {
  it("gives entry ids of 8 hex digits, hardly ever the same twice", () => {
    const ids = Array.from({ length: MANY }, () => randomIds.entryId())
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}$/)
    expect(new Set(ids).size).toBeGreaterThan(MANY - 5)
  })

  it("gives UUIDs of version 4, and of version 7 with the time in front, no two the same", () => {
    const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    const ids = Array.from({ length: MANY }, () => [randomIds.uuid(), randomIds.sessionId(now)]).flat()
    for (const [index, id] of ids.entries())
      expect(id).toMatch(index % 2 === 0 ? /^.{8}-.{4}-4.{3}-[89ab].{3}-.{12}$/ : /^.{8}-.{4}-7.{3}-[89ab].{3}-.{12}$/)
    expect(Number.parseInt((ids[1] as string).replace("-", "").slice(0, 12), 16)).toBe(now)
    expect(new Set(ids).size).toBe(2 * MANY)
  })
})
