import type { SessionEntry } from "@treelog/session-core"
import { restoreEntry, sanitizeEntry } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { base64Of, custom, dataOf, image, refOf, sha256 } from "./samples.js"
import { SpyBlobStore } from "./spy-blob-store.js"

const LARGE = base64Of(768)
const LARGE_REF = refOf(LARGE)

/** Sanitizes data, proves that it comes back, and gives what a line would hold. */
async function stored(data: unknown, blobs = new SpyBlobStore()): Promise<unknown> {
  const entry = custom(data)
  const sanitized = await sanitizeEntry(entry, blobs)
  const { value, diagnostics } = await restoreEntry(sanitized, blobs)
  expect(value).toEqual(entry)
  expect(diagnostics).toEqual([])
  return dataOf(sanitized)
}

describe("images", () => {
  it("leave the line from 1,024 characters of base64 on", async () => {
    expect([base64Of(765).length, LARGE.length]).toEqual([1020, 1024])
    expect(await stored([image(base64Of(765))])).toEqual([image(base64Of(765))])
    expect(await stored([image(LARGE)])).toEqual([image(LARGE_REF)])
  })

  it("are stored as the bytes that the base64 stands for", async () => {
    const blobs = new SpyBlobStore()
    await stored([image(LARGE)], blobs)
    const bytes = await blobs.inner.get(LARGE_REF.slice("blob:sha256:".length))
    expect(Buffer.from(bytes ?? []).toString("base64")).toBe(LARGE)
  })

  it.each([766, 767, 768, 769])("come back with their padding: %i bytes", async (bytes) => {
    expect(await stored([image(base64Of(bytes))])).toEqual([image(refOf(base64Of(bytes)))])
  })

  const padded = base64Of(766)
  it.each([
    ["has bits under its padding", padded.replace(/.==$/, "B==")],
    ["lacks its padding", padded.slice(0, -2)],
    ["is broken into lines", LARGE.replace(/.{76}/g, "$&\n")],
    ["has the alphabet of URLs", `${LARGE.slice(0, -4)}-_-_`],
    ["begins like a data URL", `data:image/png;base64,${LARGE}`],
    ["is no base64 at all", "?".repeat(1024)],
    ["holds a lone surrogate", `${LARGE.slice(0, -1)}\ud800`],
  ])("stay in the line when the base64 %s", async (_, data) => {
    const blobs = new SpyBlobStore()
    expect(await stored([image(data)], blobs)).toEqual([image(data)])
    expect(blobs.events).toEqual([])
  })

  it("stay in the line whole when they are not canonical and over 500,000 units", async () => {
    const data = `${base64Of(450_000)}\n`
    expect(await stored([image(data)])).toEqual([image(data)])
  })

  it.each<[string, unknown, unknown]>([
    ["a block in an array", [image(LARGE)], [image(LARGE_REF)]],
    ["a block in a field", { screenshot: image(LARGE) }, { screenshot: image(LARGE_REF) }],
    [
      "an image of a file mention",
      { files: [{ path: "a.png", image: image(LARGE) }] },
      { files: [{ path: "a.png", image: image(LARGE_REF) }] },
    ],
    [
      "an element of images with an image's mime type",
      { images: [{ data: LARGE, mimeType: "image/webp" }] },
      { images: [{ data: LARGE_REF, mimeType: "image/webp" }] },
    ],
    [
      "a block ten levels down",
      { a: [[{ b: { c: [{ d: [[image(LARGE)]] }] } }]] },
      { a: [[{ b: { c: [{ d: [[image(LARGE_REF)]] }] } }]] },
    ],
    [
      "arguments of a tool call",
      { type: "toolCall", arguments: { page: image(LARGE) } },
      { type: "toolCall", arguments: { page: image(LARGE_REF) } },
    ],
    [
      "a field named __proto__",
      JSON.parse(`{"__proto__":{"type":"image","data":"${LARGE}"}}`),
      JSON.parse(`{"__proto__":{"type":"image","data":"${LARGE_REF}"}}`),
    ],
  ])("are found in %s", async (_, data, expected) => {
    expect(JSON.stringify(await stored(data))).toBe(JSON.stringify(expected))
  })

  it.each<[string, SessionEntry]>(
    Object.entries({
      "a user's message": { type: "message", message: { role: "user", content: [image(LARGE)] } },
      "a tool result's content and details": {
        type: "message",
        message: { role: "toolResult", content: [image(LARGE)], details: { shots: [image(LARGE)] } },
      },
      "a custom message": {
        type: "custom_message",
        customType: "x",
        content: [image(LARGE)],
        display: true,
        details: { images: [{ data: LARGE, mimeType: "image/png" }] },
      },
      "a compaction's details and preserved data": {
        type: "compaction",
        summary: "s",
        tokensBefore: 1,
        details: [image(LARGE)],
        preserveData: { kept: { deep: [image(LARGE)] } },
      },
      "an edit's replacement": { type: "context_edit", targetId: "x", replacement: { content: [image(LARGE)] } },
      "an entry of an unknown type": { type: "hologram", layers: [image(LARGE)] },
    }).map(([name, fields]) => [name, { ...custom(undefined), ...fields } as unknown as SessionEntry]),
  )("leave the line of %s, and come back", async (_, entry) => {
    const blobs = new SpyBlobStore()
    const sanitized = await sanitizeEntry(entry, blobs)
    expect(JSON.stringify(sanitized)).toBe(JSON.stringify(entry).replaceAll(LARGE, LARGE_REF))
    expect(await restoreEntry(sanitized, blobs)).toEqual({ value: entry, diagnostics: [] })
  })

  it.each<[string, unknown]>([
    ["an element of images without a mime type", { images: [{ data: LARGE }] }],
    ["an element of images that is no image", { images: [{ data: LARGE, mimeType: "application/pdf" }] }],
    ["data of another block", [{ type: "audio", data: LARGE }]],
    ["a list of another name", { files: [{ data: LARGE, mimeType: "image/png" }] }],
    ["a type that __proto__ pretends", JSON.parse(`{"__proto__":{"type":"image"},"data":"${LARGE}"}`)],
  ])("are not seen in %s", async (_, data) => {
    const blobs = new SpyBlobStore()
    expect(JSON.stringify(await stored(data, blobs))).toBe(JSON.stringify(data))
    expect(blobs.events).toEqual([])
  })

  it("leave every place of an object that stands at several", async () => {
    const block = image(LARGE)
    const sanitized = await sanitizeEntry(custom({ a: block, b: [block, block] }), new SpyBlobStore())
    expect(dataOf(sanitized)).toEqual({ a: image(LARGE_REF), b: [image(LARGE_REF), image(LARGE_REF)] })
  })

  it("stay in the line without a store", async () => {
    const entry = custom([image(LARGE), { image_url: `data:image/png;base64,${LARGE}` }, image(base64Of(450_000))])
    expect(await sanitizeEntry(entry)).toBe(entry)
  })
})

describe("image URLs", () => {
  it.each([
    "data:image/png;base64,AAAA",
    `data:image/svg+xml;charset=utf-8;base64,${LARGE}`,
    "DATA:IMAGE/PNG;BASE64,x",
    "data:image/png;base64,not base64: \u00e9",
  ])("leave the line as the text that they are (%#)", async (url) => {
    const blobs = new SpyBlobStore()
    expect(await stored({ type: "input_image", image_url: url }, blobs)).toEqual({
      type: "input_image",
      image_url: `blob:sha256:${sha256(url)}`,
    })
    expect(blobs.puts).toHaveLength(1)
  })

  it.each([
    "https://example.com/a.png",
    "data:text/plain;base64,AAAA",
    "data:image/svg+xml,<svg/>",
    "data:image/png;base64,\ud800",
  ])("stay when they are no such URL: %s", async (url) => {
    const blobs = new SpyBlobStore()
    expect(await stored({ image_url: url }, blobs)).toEqual({ image_url: url })
    expect(blobs.events).toEqual([])
  })

  it("over 500,000 units leave the line whole, and stay whole where no store is", async () => {
    const entry = custom({ image_url: `data:image/png;base64,${base64Of(450_000)}` })
    expect(JSON.stringify(await stored(dataOf(entry)))).toHaveLength(92)
    expect(await sanitizeEntry(entry)).toBe(entry)
  })

  it("that are no strings are left alone", async () => {
    const data = [{ image_url: { url: "data:image/png;base64,AAAA" } }, { image_url: null }, { image_url: 7 }]
    expect(await stored(data)).toEqual(data)
  })
})
