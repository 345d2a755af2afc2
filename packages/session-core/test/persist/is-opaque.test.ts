import { isOpaque } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { spotsIn } from "../door.js"

/** The paths of the strings of an entry that are opaque. */
function opaqueIn(entry: Record<string, unknown>): string[] {
  return [...spotsIn(entry)].flatMap(({ spot }) => (isOpaque(spot) ? pathOf(spot) : [])).sort()
}

function pathOf(place: Parameters<typeof isOpaque>[0]): string {
  return place.up ? `${pathOf(place.up)}.${place.key}` : String(place.key)
}

describe("isOpaque", () => {
  it("knows signatures and what is encrypted, and nothing beside them", () => {
    const entry = {
      content: [
        { type: "thinking", thinking: "said", thinkingSignature: "signed" },
        { type: "text", text: "said", textSignature: "signed" },
        { type: "toolCall", name: "said", arguments: { path: "said" }, thoughtSignature: "signed" },
        { type: "redactedThinking", data: "sealed" },
        { type: "reasoning", encrypted_content: "sealed", redactedThinking: { deep: ["sealed"] } },
      ],
    }
    expect(opaqueIn(entry)).toEqual([
      "content.0.thinkingSignature",
      "content.1.textSignature",
      "content.2.thoughtSignature",
      "content.3.data",
      "content.4.encrypted_content",
      "content.4.redactedThinking.deep.0",
    ])
  })

  it("knows pictures and references to blobs, but no text that stands in their place", () => {
    const base64 = "aB3/".repeat(80)
    const entry = {
      a: [
        { type: "image", data: base64 },
        { type: "image", data: "sk-not a picture" },
        { type: "image", data: "aB3/" },
      ],
      b: { image_url: `data:image/png;base64,${base64}` },
      c: { image_url: `https://example.org/?key=${base64}` },
      d: `blob:sha256:${"0".repeat(64)}`,
      e: base64,
    }
    expect(opaqueIn(entry)).toEqual(["a.0.data", "b.image_url", "d"])
  })
})
