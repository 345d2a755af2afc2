import { TreelogError } from "@treelog/session-core"
import { assistantMessage, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { refOf } from "./samples.js"
import { diskFull, IMAGES, keyOf, withImage, workbench } from "./workbench.js"

describe("a put that fails", () => {
  it("latches a PersistError, writes no line that names the blob, and a retry writes each line once", async () => {
    const { manager, blobs, storage, events } = workbench()
    const session = await manager.create("/project")
    const ids = [session.appendMessage(userMessage("first"))]
    await session.flush()
    blobs.failures = [diskFull()]
    ids.push(session.appendMessage(assistantMessage("plain")), session.appendMessage(withImage(IMAGES[0])))
    ids.push(session.appendMessage(assistantMessage("last")))
    await expect(session.flush()).rejects.toMatchObject({ code: "PersistError", data: { pending: 3 } })
    expect(() => session.appendMessage(userMessage("no"))).toThrow(TreelogError)
    await expect(session.flush()).rejects.toMatchObject({ code: "PersistError", cause: { code: "StorageError" } })
    expect(events.join("\n")).not.toContain("blob:sha256:")
    expect(session.getEntries().map(({ id }) => id)).toEqual(ids)
    await session.retry()
    ids.push(session.appendMessage(userMessage("on")))
    await session.close()
    const [, ...lines] = await storage.linesOf(keyOf(session))
    expect(lines.map(({ id }) => id)).toEqual(ids)
    expect((await manager.readContext(keyOf(session))).messages[2]).toEqual(withImage(IMAGES[0]))
  })

  it("at the first write leaves no file, and a retry makes it", async () => {
    const { manager, blobs, storage } = workbench()
    const session = await manager.create("/project")
    blobs.failures = [diskFull(), diskFull()]
    const id = session.appendMessage(withImage(IMAGES[0]))
    await expect(session.flush()).rejects.toMatchObject({ code: "PersistError" })
    await expect(session.retry()).rejects.toMatchObject({ code: "PersistError", data: { pending: 1 } })
    expect(await storage.stat(keyOf(session))).toBeUndefined()
    await session.retry()
    expect((await storage.linesOf(keyOf(session))).map((line) => line.id)).toEqual([session.getSessionId(), id])
  })

  it("does not put again what was put before it", async () => {
    const { manager, blobs } = workbench()
    const session = await manager.create("/project")
    const put = blobs.put.bind(blobs)
    let calls = 0
    blobs.put = async (bytes) => {
      calls += 1
      if (calls === 2) throw diskFull()
      return put(bytes)
    }
    for (const data of IMAGES.slice(0, 2)) session.appendMessage(withImage(data))
    await expect(session.flush()).rejects.toMatchObject({ code: "PersistError" })
    await session.retry()
    expect(blobs.puts).toEqual(IMAGES.slice(0, 2).map((data) => `put ${refOf(data).slice(-64)}`))
  })
})
