import { restoreEntry, sanitizeEntry } from "@treelog/session-core/adapter"
import { deepFreeze } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { base64Of, custom, dataOf, endingFor, image, LIMIT, refOf } from "./samples.js"
import { SpyBlobStore } from "./spy-blob-store.js"

const HUGE = "s".repeat(LIMIT + 1)
const LARGE = base64Of(768)

describe("what is signed or encrypted", () => {
  it.each<[string, unknown]>([
    ["a thinking signature", { type: "thinking", thinking: "short", thinkingSignature: HUGE }],
    ["the thinking that is signed", { type: "thinking", thinking: HUGE, thinkingSignature: "sig" }],
    ["a text signature", { type: "text", text: "short", textSignature: HUGE }],
    ["the text that is signed", { type: "text", text: HUGE, textSignature: "sig" }],
    ["a thought signature", { type: "toolCall", arguments: {}, thoughtSignature: HUGE }],
    [
      "the arguments that are signed",
      { type: "toolCall", arguments: { content: HUGE, lineCount: 1 }, thoughtSignature: "sig" },
    ],
    ["an image in signed arguments", { type: "toolCall", arguments: { page: image(LARGE) }, thoughtSignature: "sig" }],
    ["a signed image", { ...image(LARGE), thoughtSignature: "sig" }],
    ["a signature that is no string", { type: "thinking", thinking: HUGE, thinkingSignature: { parts: [HUGE] } }],
    ["redacted thinking, as a block", { type: "redactedThinking", data: HUGE }],
    ["redacted thinking, as a field", { redactedThinking: { deep: [HUGE] } }],
    ["encrypted content", { type: "reasoning", encrypted_content: HUGE }],
    ["encrypted content with an image URL", { encrypted_content: { image_url: "data:image/png;base64,AAAA" } }],
  ])("is never cut or altered: %s", async (_, block) => {
    const blobs = new SpyBlobStore()
    const entry = deepFreeze(custom({ deep: [block] }))
    expect((await sanitizeEntry(entry)) === entry).toBe(true)
    expect((await sanitizeEntry(entry, blobs)) === entry).toBe(true)
    expect(((await restoreEntry(entry, blobs)).value as unknown) === entry).toBe(true)
    expect(blobs.events).toEqual([])
  })

  it("does not keep its neighbours from being cut", async () => {
    const data = [
      { type: "thinking", thinking: "t", thinkingSignature: HUGE },
      { type: "text", text: HUGE },
    ]
    const [signed, plain] = dataOf(await sanitizeEntry(custom(data))) as [unknown, { text: string }]
    expect(signed === data[0]).toBe(true)
    expect(plain.text).toHaveLength(LIMIT)
  })

  it("is nothing that carries only an empty signature", async () => {
    const [block] = dataOf(await sanitizeEntry(custom([{ thinking: HUGE, thinkingSignature: "" }]))) as [
      { thinking: string },
    ]
    expect(block.thinking).toHaveLength(LIMIT)
  })

  it("is not searched for references", async () => {
    const blobs = new SpyBlobStore()
    await blobs.put(Buffer.from(LARGE, "base64"))
    await blobs.put(Buffer.from(HUGE))
    const cut = "s".repeat(LIMIT - endingFor(HUGE).length) + endingFor(HUGE)
    const entry = custom([{ ...image(refOf(LARGE)), thoughtSignature: "sig" }, { encrypted_content: cut }])
    expect(await restoreEntry(entry, blobs)).toEqual({ value: entry, diagnostics: [] })
    expect(blobs.reads).toEqual([])
  })
})
