import { sanitizeEntry } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { base64Of, custom, dataOf, image, LIMIT } from "./samples.js"
import { SpyBlobStore } from "./spy-blob-store.js"

describe("partialJson and jsonlEvents", () => {
  it.each<[string, unknown, unknown]>([
    ["at the top", { partialJson: "{", a: 1 }, { a: 1 }],
    ["of any type", [{ partialJson: null }, { partialJson: {} }, { jsonlEvents: [1] }], [{}, {}, {}]],
    ["deep inside", [{ a: [{ b: { jsonlEvents: [], c: 1 } }] }], [{ a: [{ b: { c: 1 } }] }]],
    [
      "in a signed tool call",
      { type: "toolCall", thoughtSignature: "s", arguments: {}, partialJson: "{" },
      { type: "toolCall", thoughtSignature: "s", arguments: {} },
    ],
    ["both in one object", { partialJson: "", x: 1, jsonlEvents: [] }, { x: 1 }],
    ["one inside the other", { jsonlEvents: [{ partialJson: "{", kept: 1 }], x: 1 }, { x: 1 }],
    ["one inside itself", { a: { partialJson: { b: { partialJson: "{" } } } }, { a: {} }],
  ])("are dropped %s", async (_, data, expected) => {
    expect(dataOf(await sanitizeEntry(custom(data)))).toEqual(expected)
    expect(dataOf(await sanitizeEntry(custom(data), new SpyBlobStore()))).toEqual(expected)
  })

  it("take nothing of theirs to the store", async () => {
    const blobs = new SpyBlobStore()
    const data = { jsonlEvents: [image(base64Of(900)), { text: "x".repeat(LIMIT + 1) }], kept: true }
    expect(dataOf(await sanitizeEntry(custom(data), blobs))).toEqual({ kept: true })
    expect(blobs.events).toEqual([])
  })

  it("are dropped where an object stands at several places", async () => {
    const call = { type: "toolCall", partialJson: "{" }
    expect(dataOf(await sanitizeEntry(custom([call, call])))).toEqual([{ type: "toolCall" }, { type: "toolCall" }])
  })

  it("are values like others in an array", async () => {
    const entry = custom(["partialJson", "jsonlEvents"])
    expect(await sanitizeEntry(entry)).toBe(entry)
  })
})
