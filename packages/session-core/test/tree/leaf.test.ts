import type { SessionEntry } from "@treelog/session-core"
import { entry, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { SessionState } from "../door.js"

function leafAfter(entry: SessionEntry): string | null {
  const state = new SessionState()
  state.add(userEntry("known", null))
  state.leafId = "before"
  state.follow(entry)
  return state.leafId
}

describe("the leaf after an entry", () => {
  it("is the entry, whatever its kind", () => {
    for (const type of ["message", "label", "custom", "session_info", "hologram"])
      expect(leafAfter(entry(type, "now", null))).toBe("now")
    expect(leafAfter(userEntry("now", null))).toBe("now")
  })

  it("is the target of a leaf entry, or null where it says so", () => {
    expect(leafAfter(entry("leaf", "now", null, { targetId: "known" }))).toBe("known")
    expect(leafAfter(entry("leaf", "now", null, { targetId: null }))).toBeNull()
  })

  it.each(["gone", undefined, 5, {}])("stays where it was when a leaf entry points at %j", (targetId) => {
    expect(leafAfter(entry("leaf", "now", null, { targetId }))).toBe("before")
  })
})
