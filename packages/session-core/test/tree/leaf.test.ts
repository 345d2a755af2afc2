import { entry, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { leafAfter } from "../../src/tree/leaf.js"

const tree = { has: (id: string) => id === "known" }

describe("leafAfter", () => {
  it("is the entry, whatever its kind", () => {
    for (const type of ["message", "label", "custom", "session_info", "hologram"])
      expect(leafAfter(entry(type, "now", null), "before", tree)).toBe("now")
    expect(leafAfter(userEntry("now", null), null, tree)).toBe("now")
  })

  it("is the target of a leaf entry, or null where it says so", () => {
    expect(leafAfter(entry("leaf", "now", null, { targetId: "known" }), "before", tree)).toBe("known")
    expect(leafAfter(entry("leaf", "now", null, { targetId: null }), "before", tree)).toBeNull()
  })

  it.each(["gone", undefined, 5, {}])("stays where it was when a leaf entry points at %j", (targetId) => {
    expect(leafAfter(entry("leaf", "now", null, { targetId }), "before", tree)).toBe("before")
  })
})
