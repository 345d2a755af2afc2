import { Labels } from "@treelog/session-core/adapter"
import { entry, testTime, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const label = (targetId: unknown, text?: unknown, seconds = 0) => ({
  ...entry("label", "l", null, { targetId, ...(text !== undefined && { label: text }) }),
  timestamp: testTime(seconds),
})

describe("Labels", () => {
  it("holds the last label of each target, with its time", () => {
    const labels = new Labels([label("a", "one", 1), label("b", "other", 2), label("a", "two", 3)])
    expect(labels.get("a")).toEqual({ label: "two", timestamp: testTime(3) })
    expect([...labels.entries()].map(([target]) => target)).toEqual(["a", "b"])
  })

  it.each([undefined, null, "", 7])("takes the label %j for clearing it", (cleared) => {
    expect(new Labels([label("a", "one"), label("a", cleared)]).get("a")).toBeUndefined()
  })

  it("can be set again after it was cleared", () => {
    expect(new Labels([label("a", "one"), label("a"), label("a", "again")]).get("a")?.label).toBe("again")
  })

  it("takes no notice of other entries, nor of labels without a target", () => {
    expect([...new Labels([userEntry("a", null), label(undefined, "x"), label(5, "y")]).entries()]).toEqual([])
  })

  it("takes a target like `__proto__` for an id", () => {
    const labels = new Labels([label("__proto__", "odd")])
    expect(labels.get("__proto__")?.label).toBe("odd")
    expect(labels.get("constructor")).toBeUndefined()
  })
})
