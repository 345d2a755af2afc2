import { TreelogError } from "@treelog/session-core"
import { restoreEntry, sanitizeEntry } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { restoreMessages } from "../door.js"
import { base64Of, custom, dataOf, endingFor, image, LIMIT, NOTICE, refOf, sha256 } from "./samples.js"
import { SpyBlobStore } from "./spy-blob-store.js"

const HASH = sha256("x")
const LARGE = base64Of(768)
const LARGE_REF = refOf(LARGE)
const LARGE_HASH = LARGE_REF.slice(-64)

const HOSTILE = [
  "blob:sha256:../x",
  `blob:sha256:../${HASH.slice(3)}`,
  `blob:sha256:${HASH.toUpperCase()}`,
  `BLOB:SHA256:${HASH}`,
  `blob:sha256:${HASH.slice(1)}`,
  `blob:sha256:${HASH}0`,
  `blob:sha256:${HASH.slice(1)}\0`,
  `blob:sha256:${HASH}\0`,
  `blob:sha256:${HASH}\n`,
  `blob:sha256:${HASH}.png`,
  `blob:sha256:${HASH.slice(1)}\u0661`,
  ` blob:sha256:${HASH}`,
  `blob:md5:${HASH}`,
  "blob:sha256:",
]

/** The text wherever a reference would count, and in a tool call's arguments. */
function everywhere(text: string): unknown {
  return {
    content: [
      image(text),
      {
        type: "toolCall",
        arguments: { images: [{ data: text, mimeType: "image/png" }], image_url: text, page: image(text) },
      },
    ],
    image_url: text,
    images: [{ data: text, mimeType: "image/png" }],
  }
}

describe("a reference that names no hash", () => {
  it.each(HOSTILE)("never reaches the store, and stays: %j", async (ref) => {
    const blobs = new SpyBlobStore()
    const entry = custom(everywhere(ref))
    expect(await restoreEntry(entry, blobs)).toEqual({ value: entry, diagnostics: [] })
    expect(await sanitizeEntry(entry, blobs)).toBe(entry)
    expect(blobs.events).toEqual([])
  })

  it.each(HOSTILE)("never reaches the store from the end of a cut text: %j", async (ref) => {
    const blobs = new SpyBlobStore()
    const ending = `\n\n[full content: ${ref}]\n${NOTICE}`
    const entry = custom({ text: "x".repeat(LIMIT - ending.length) + ending })
    const { value, diagnostics } = await restoreEntry(entry, blobs)
    expect(value === entry).toBe(true)
    expect(diagnostics.map(({ kind }) => kind)).toEqual(["cut-text"])
    expect(blobs.events).toEqual([])
  })
})

describe("a reference at a place where none counts", () => {
  it("never reaches the store, and stays", async () => {
    const blobs = new SpyBlobStore()
    const entry = custom({ data: LARGE_REF, type: "audio", text: LARGE_REF, content: LARGE_REF, list: [LARGE_REF] })
    expect(await restoreEntry(entry, blobs)).toEqual({ value: entry, diagnostics: [] })
    expect(blobs.events).toEqual([])
  })
})

describe("a blob", () => {
  it("that is missing leaves its reference, and a diagnostic", async () => {
    const entry = custom([image(LARGE_REF), { keep: 1 }])
    const { value, diagnostics } = await restoreEntry(entry, new SpyBlobStore())
    expect(value).toBe(entry)
    expect(diagnostics).toMatchObject([{ kind: "missing-blob", message: expect.stringContaining(LARGE_HASH) }])
  })

  it("that is missing leaves a cut text and its line count as they are", async () => {
    const entry = custom({ content: "x".repeat(LIMIT - endingFor("y", 9).length) + endingFor("y", 9), lineCount: 4 })
    const { value, diagnostics } = await restoreEntry(entry, new SpyBlobStore())
    expect(value === entry).toBe(true)
    expect(diagnostics.map(({ kind }) => kind)).toEqual(["missing-blob"])
  })

  it("that is damaged leaves its reference and a diagnostic, and others come back", async () => {
    const blobs = new SpyBlobStore()
    const good = base64Of(900, 1)
    const sanitized = await sanitizeEntry(custom([image(LARGE), image(good)]), blobs)
    blobs.damaged.add(LARGE_HASH)
    const { value, diagnostics } = await restoreEntry(sanitized, blobs)
    expect(dataOf(value)).toEqual([image(LARGE_REF), image(good)])
    expect(diagnostics).toMatchObject([{ kind: "damaged-blob", message: expect.stringContaining(LARGE_HASH) }])
  })

  it("that is no image URL does not take an image URL's place", async () => {
    const blobs = new SpyBlobStore()
    const hash = await blobs.put(Uint8Array.of(0x89, 0x50, 0xff, 0xfe))
    const entry = custom({ image_url: `blob:sha256:${hash}` })
    const { value, diagnostics } = await restoreEntry(entry, blobs)
    expect(value).toBe(entry)
    expect(diagnostics).toMatchObject([{ kind: "damaged-blob", message: expect.stringContaining(hash) }])
  })

  it("is read once for an entry, however often it is named", async () => {
    const blobs = new SpyBlobStore()
    const sanitized = await sanitizeEntry(custom([image(LARGE), { deep: [image(LARGE)] }, image(LARGE)]), blobs)
    const { value } = await restoreEntry(sanitized, blobs)
    expect(dataOf(value)).toEqual([image(LARGE), { deep: [image(LARGE)] }, image(LARGE)])
    expect(blobs.reads).toEqual([`get ${LARGE_HASH}`])
  })

  it("that is missing is asked for once, however often it is named", async () => {
    const blobs = new SpyBlobStore()
    await restoreEntry(custom([image(LARGE_REF), image(LARGE_REF)]), blobs)
    expect(blobs.reads).toEqual([`get ${LARGE_HASH}`])
  })

  it("whose store fails fails the restoring", async () => {
    const blobs = new SpyBlobStore()
    blobs.get = async (hash) => {
      throw storageError(hash)
    }
    await expect(restoreEntry(custom([image(LARGE_REF)]), blobs)).rejects.toMatchObject({ code: "StorageError" })
  })
})

describe("the messages of a context", () => {
  const messages = Array.from({ length: 40 }, (_, index) => ({
    role: "user",
    content: [image(base64Of(800, index)), image(base64Of(800, index + 100))],
  }))

  const ids = messages.map((_, index) => `entry ${index}`)

  it("are restored at most eight at a time, in their order", async () => {
    const blobs = new SpyBlobStore()
    const sanitized = await Promise.all(messages.map((message) => sanitizeEntry(message, blobs)))
    expect(await restoreMessages(sanitized, blobs, ids)).toEqual({ messages, diagnostics: [] })
    expect(blobs.mostReading).toBeGreaterThan(1)
    expect(blobs.mostReading).toBeLessThanOrEqual(8)
  })

  it("stay the same objects where they have no reference", async () => {
    const blobs = new SpyBlobStore()
    const { messages: restored } = await restoreMessages(messages, blobs, ids)
    for (const [index, message] of restored.entries()) expect(message).toBe(messages[index])
    expect(blobs.events).toEqual([])
  })

  it("give their diagnostics in the order of the messages", async () => {
    const blobs = new SpyBlobStore()
    const sanitized = await Promise.all(messages.map((message) => sanitizeEntry(message, blobs)))
    const lost = new SpyBlobStore()
    const answer = lost.get.bind(lost)
    // The first ones answer last.
    lost.get = async (hash) => {
      const turns = JSON.stringify(sanitized[0]).includes(hash) ? 200 : 1
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      return answer(hash)
    }
    const { diagnostics } = await restoreMessages(sanitized, lost, ids)
    const named = sanitized.map((message) => message.content.map(({ data }) => data.slice(-64)))
    const found = diagnostics.map(({ message }) => /[0-9a-f]{64}/.exec(message)?.[0] ?? "")
    expect(found.map((hash) => named.findIndex((hashes) => hashes.includes(hash)))).toEqual(
      messages.flatMap((_, index) => [index, index]),
    )
    expect(diagnostics.map(({ entryId }) => entryId)).toEqual(ids.flatMap((id) => [id, id]))
  })

  it("are not read on when one read fails", async () => {
    const blobs = new SpyBlobStore()
    const sanitized = await Promise.all(messages.map((message) => sanitizeEntry(message, blobs)))
    const answer = blobs.get.bind(blobs)
    let calls = 0
    blobs.get = async (hash) => {
      calls += 1
      if (calls === 10) throw storageError(hash)
      return answer(hash)
    }
    await expect(restoreMessages(sanitized, blobs, ids)).rejects.toMatchObject({ code: "StorageError" })
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    // Each of the seven others may end the message that it is at.
    expect(calls).toBeLessThanOrEqual(10 + 7 * 2)
  })
})

function storageError(key: string): TreelogError {
  return new TreelogError("StorageError", "The disk is gone.", { key, operation: "read", errno: "EIO" })
}
