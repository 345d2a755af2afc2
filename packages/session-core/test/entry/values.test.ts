import { contentText } from "@treelog/session-core"
import { describe, expect, it } from "vitest"
import { changedModel, millisOf, modelName, parseModelName, valueText } from "../door.js"

describe("model names", () => {
  it("have their provider before the first slash", () => {
    expect(parseModelName("openrouter/google/gemini")).toEqual({ provider: "openrouter", modelId: "google/gemini" })
    expect(modelName({ provider: "openrouter", modelId: "google/gemini" })).toBe("openrouter/google/gemini")
  })

  it.each(["gemini", "/gemini", ""])("are none where there is no provider: %j", (name) => {
    expect(parseModelName(name)).toBeUndefined()
  })

  const change = (fields: object) => changedModel(fields as never)

  it("are read from pi's fields first, then from xcsh's", () => {
    expect(change({ provider: "p", modelId: "m", model: "other/x" })).toEqual({ provider: "p", modelId: "m" })
    expect(change({ provider: "p", model: "other/x" })).toEqual({ provider: "other", modelId: "x" })
    expect(change({ provider: 5, modelId: "m" })).toBeUndefined()
    expect(change({ model: 5 })).toBeUndefined()
  })
})

describe("millisOf", () => {
  it("reads ISO timestamps, and gives 0 for all else", () => {
    expect(millisOf("2026-03-07T14:00:00.000Z")).toBe(Date.UTC(2026, 2, 7, 14))
    for (const value of ["yesterday", "", undefined, null, 5, {}]) expect(millisOf(value)).toBe(0)
  })
})

describe("contentText", () => {
  it("is a string as it is, and the text blocks of a list", () => {
    expect(contentText("plain")).toBe("plain")
    const blocks = [
      { type: "text", text: "a" },
      { type: "thinking", thinking: "no" },
      { type: "text", text: "b" },
    ]
    expect(contentText(blocks)).toBe("a\nb")
  })

  it.each([null, undefined, 5, {}, [null, 5, { type: "text" }, { type: "text", text: 5 }]])(
    "is empty for %j",
    (content) => {
      expect(contentText(content)).toBe("")
    },
  )
})

describe("valueText", () => {
  it("says what a value is, without a throw", () => {
    const values = ["text", 5, true, undefined, null, [1, 2], { toString: 1 }]
    expect(values.map(valueText)).toEqual(["text", "5", "true", "none", "none", "a list of 2", "an object"])
  })
})
