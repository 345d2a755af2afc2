import { SessionManager } from "@treelog/session-core"
import { deepFreeze, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { RecordingStorage } from "./recording-storage.js"
import { image, refOf, sha256 } from "./samples.js"
import { HASH, IMAGES, illustrated, keyOf, LONG, withImage, workbench } from "./workbench.js"

describe("appending to a session with a blob store", () => {
  it("stores each blob before the line that names it", async () => {
    const { manager, events } = workbench()
    await illustrated(manager)
    const named = events.flatMap((event, at) => {
      return event.startsWith("line ")
        ? [...event.matchAll(HASH)].map(([, hash]) => ({ at, put: events.indexOf(`put ${hash}`) }))
        : []
    })
    expect(named).toHaveLength(5)
    for (const { at, put } of named) {
      expect(put).toBeGreaterThanOrEqual(0)
      expect(put).toBeLessThan(at)
    }
  })

  it("writes references, and no image and no long text", async () => {
    const { manager, storage } = workbench()
    const session = await illustrated(manager)
    const lines = await storage.linesOf(keyOf(session))
    const text = JSON.stringify(lines)
    for (const data of IMAGES) {
      expect(text).toContain(refOf(data))
      expect(text).not.toContain(data)
    }
    expect(text).toContain(sha256(LONG))
    expect(lines[3]).toMatchObject({
      message: { details: { content: expect.stringMatching(/truncated large content\]$/) } },
    })
  })

  it("keeps the entries in memory whole", async () => {
    const { manager, blobs } = workbench()
    const session = await manager.create("/project")
    const message = deepFreeze({ ...withImage(IMAGES[0]), partialJson: "{" })
    const id = session.appendMessage(message)
    await session.flush()
    expect(session.getEntry(id)).toMatchObject({ message: { content: [{}, image(IMAGES[0] ?? "")], partialJson: "{" } })
    expect((session.getEntry(id) as { message?: unknown }).message).toBe(message)
    expect((await session.readContext()).messages[0]).toBe(message)
    expect(blobs.reads).toEqual([])
  })

  it("writes an entry as it was when it was appended", async () => {
    const { manager, storage } = workbench()
    const session = await manager.create("/project")
    const block = image(IMAGES[0] ?? "")
    session.appendMessage(userMessage("", { content: [block] }))
    block.data = IMAGES[1] ?? ""
    await session.flush()
    expect((await storage.linesOf(keyOf(session)))[1]).toMatchObject({
      message: { content: [image(refOf(IMAGES[0] ?? ""))] },
    })
  })

  it("stores no blob for a session that is not worth a file yet", async () => {
    const { manager, events } = workbench()
    const session = await manager.create("/project")
    session.appendCustomEntry("x", [image(IMAGES[0] ?? "")])
    await session.flush()
    expect(events).toEqual([])
    session.appendMessage(userMessage("now"))
    await session.flush()
    expect(events.map((event) => event.slice(0, 4))).toEqual(["put ", "line", "line", "line"])
  })

  it("stores nothing for a session in memory, and gives its images back as they are", async () => {
    const { manager, events } = workbench()
    const session = manager.inMemory()
    session.appendMessage(withImage(IMAGES[0]))
    expect((await session.readContext()).messages).toEqual([withImage(IMAGES[0])])
    expect(events).toEqual([])
  })

  it("leaves images in the line and cuts long texts for good, without a store", async () => {
    const storage = new RecordingStorage(() => undefined)
    const session = await illustrated(new SessionManager({ storage }))
    const text = JSON.stringify(await storage.linesOf(keyOf(session)))
    for (const data of IMAGES) expect(text).toContain(data)
    expect(text).not.toContain("[full content:")
    expect(text).toContain("\\n\\n[Session persistence truncated large content]")
  })
})
