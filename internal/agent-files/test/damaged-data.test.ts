import { damagedData } from "@treelog-internal/agent-files"
import { describe, expect, it } from "vitest"

describe("What is kept of a line that cannot be read", () => {
  it("is its text", () => expect(damagedData(3, () => "abc")).toEqual({ text: "abc" }))

  it("is its size where JSON of the text could be longer than a string, and then the text is not made", () => {
    const unread = (): string => {
      throw new Error("not read")
    }
    expect(damagedData(100_000_000, unread)).toEqual({ bytes: 100_000_000 })
  })
})
