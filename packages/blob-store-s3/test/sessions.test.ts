import { S3BlobStore } from "@treelog/blob-store-s3"
import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { describe, expect, test } from "vitest"
import { engines, newPrefix, optionsFor } from "./engines.js"

const data = Buffer.alloc(30_000, 7).toString("base64")

describe.each(await engines())("a session with its blobs on $name", (engine) => {
  test("has its images and long texts on another machine too", async () => {
    const prefix = newPrefix()
    const storage = new MemorySessionStorage()
    const machine = () => new SessionManager({ storage, blobs: new S3BlobStore(optionsFor(engine, prefix)) })
    const sessions = machine()
    const session = await sessions.create("/home/me/project", { persist: "create" })
    const content = [
      { type: "image", data, mimeType: "image/png" },
      { type: "text", text: "Long. ".repeat(100_000) },
    ]
    session.appendMessage({ role: "user", content, timestamp: 1 })
    await session.close()
    const { id } = session.getHeader()
    const { messages, diagnostics } = await machine().readContext({ id })
    expect(messages).toMatchObject([{ role: "user", content }])
    expect(diagnostics).toEqual([])
    const hashes: string[] = []
    for await (const { hash } of new S3BlobStore(optionsFor(engine, prefix)).list()) hashes.push(hash)
    expect(hashes.length).toBe(2)
  })
})
