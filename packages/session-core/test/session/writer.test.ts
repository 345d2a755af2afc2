import type { CreateOptions } from "@treelog/session-core"
import { MemorySessionStorage } from "@treelog/session-core"
import { assistantMessage, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it, vi } from "vitest"
import { CWD, givenManager, idsOf, keyOf } from "./given-manager.js"
import { ObservedStorage } from "./observed-storage.js"
import { storedRecords } from "./stored-bytes.js"

async function given(options: CreateOptions = {}) {
  const made = givenManager(new ObservedStorage())
  const session = await made.sessions.create(CWD, options)
  return { ...made, session, key: keyOf(session) }
}

const written = async ({ storage, key }: Awaited<ReturnType<typeof given>>) =>
  idsOf((await storedRecords(storage, key)) as { id: string }[]).slice(1)
const count = (calls: readonly string[], call: string) => calls.filter((one) => one === call).length

describe("the first write", () => {
  it("comes with the first user message, and takes all that was waiting, in order", async () => {
    const all = await given()
    const { session, storage, key } = all
    const level = session.appendThinkingLevelChange("low")
    session.appendCustomMessageEntry("m", "hi", true)
    await session.flush()
    expect([await storage.stat(key), session.pending]).toEqual([undefined, 2])
    const user = session.appendMessage(userMessage("a"))
    await session.flush()
    expect(session.pending).toBe(0)
    expect((await storedRecords(storage, key))[0]).toEqual(session.getHeader())
    expect(await written(all)).toEqual([level, session.getEntries()[1]?.id, user])
  })

  it("comes with an assistant message too", async () => {
    const all = await given()
    const id = all.session.appendMessage(assistantMessage("a"))
    await all.session.flush()
    expect(await written(all)).toEqual([id])
  })

  it("waits for the assistant where that is asked for, so that what was never answered leaves nothing", async () => {
    const storage = new MemorySessionStorage()
    const session = await givenManager(storage).sessions.create(CWD, { persist: "pi" })
    const user = session.appendMessage(userMessage("a"))
    await session.flush()
    expect(await storage.stat(keyOf(session))).toBeUndefined()
    const assistant = session.appendMessage(assistantMessage("b"))
    expect(idsOf((await storedRecords(storage, keyOf(session))) as { id: string }[]).slice(1)).toEqual([
      user,
      assistant,
    ])
  })

  it("comes at once where that is asked for", async () => {
    const all = await given({ persist: "create" })
    await all.session.flush()
    expect(await storedRecords(all.storage, all.key)).toEqual([all.session.getHeader()])
    const level = all.session.appendThinkingLevelChange("low")
    await all.session.flush()
    expect(await written(all)).toEqual([level])
  })

  it("never goes over a session that is there already", async () => {
    const first = await given({ id: "chosen" })
    const second = await first.sessions.create(CWD, { id: "chosen" })
    first.session.appendMessage(userMessage("first"))
    await first.session.close()
    const before = await storedRecords(first.storage, first.key)
    second.appendMessage(userMessage("second"))
    await expect(second.flush()).rejects.toMatchObject({ code: "PersistError", cause: { code: "SessionExistsError" } })
    expect(await storedRecords(first.storage, first.key)).toEqual(before)
  })

  it("that is still under way is waited for by close", async () => {
    const all = await given()
    const open = all.storage.hold("create")
    const id = all.session.appendMessage(userMessage("a"))
    let closed = false
    const closing = all.session.close().then(() => (closed = true))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(closed).toBe(false)
    open()
    await closing
    expect(await written(all)).toEqual([id])
    expect(all.storage.held).toBe(0)
  })

  it("leaves nothing, and no lease, where nothing came that is worth a file", async () => {
    const { session, storage, key } = await given()
    session.appendThinkingLevelChange("low")
    await session.close()
    expect([await storage.stat(key), storage.calls]).toEqual([undefined, []])
  })
})

describe("the order of writing", () => {
  it("is that of the appends, and lines that are queued together leave in one write", async () => {
    const all = await given()
    const { session, storage } = all
    session.appendMessage(userMessage("first"))
    await session.flush()
    storage.calls.length = 0
    for (let count = 0; count < 1000; count++) session.appendMessage(userMessage(`${count}`))
    expect(session.pending).toBe(1000)
    await session.flush()
    expect(count(storage.calls, "append")).toBe(1)
    expect(storage.appended[0]?.split("\n")).toHaveLength(1001)
    expect(await written(all)).toEqual(idsOf(session.getEntries()))
  })

  it("puts what comes during a write into the next one", async () => {
    const all = await given()
    const { session, storage } = all
    session.appendMessage(userMessage("first"))
    await session.flush()
    const open = storage.hold("append")
    session.appendMessage(userMessage("a"))
    await new Promise((resolve) => setTimeout(resolve))
    for (const text of ["b", "c", "d"]) session.appendMessage(userMessage(text))
    open()
    await session.flush()
    expect(storage.appended.map((text) => text.split("\n").length - 1)).toEqual([1, 3])
    expect(await written(all)).toEqual(idsOf(session.getEntries()))
  })

  it("needs no flush: what was appended is written by itself", async () => {
    const all = await given()
    const id = all.session.appendMessage(userMessage("a"))
    await new Promise((resolve) => setTimeout(resolve))
    expect(await written(all)).toEqual([id])
  })
})

describe("lines that memory has no room for", () => {
  it("stay in memory as entries, like after any failed write, until they are written again", async () => {
    const all = await given()
    const { session } = all
    const ids = [session.appendMessage(userMessage("a")), session.appendMessage(userMessage("b".repeat(1000)))]
    const encoding = vi.spyOn(TextEncoder.prototype, "encode").mockImplementation(() => {
      throw new RangeError("Array buffer allocation failed")
    })
    const failed = expect.objectContaining({ code: "PersistError", cause: expect.any(RangeError) })
    await expect(session.flush()).rejects.toThrow(failed)
    expect(() => session.appendMessage(userMessage("c"))).toThrow(failed)
    encoding.mockRestore()
    expect([idsOf(session.getEntries()), session.getLeafId(), session.pending]).toEqual([ids, ids[1], 2])
    await session.retry()
    ids.push(session.appendMessage(userMessage("d")))
    await session.flush()
    expect(await written(all)).toEqual(ids)
  })
})

describe("persist", () => {
  async function syncs(persist: "message" | "synced" | "unsynced"): Promise<number[]> {
    const { session, storage } = await given({ persist })
    session.appendMessage(userMessage("a"))
    await new Promise((resolve) => setTimeout(resolve))
    const afterWrite = count(storage.calls, "sync")
    await session.flush()
    const afterFlush = count(storage.calls, "sync")
    await session.flush()
    await session.close()
    return [afterWrite, afterFlush, count(storage.calls, "sync")]
  }

  it("`message` syncs when it is flushed, and only where there is something new", async () => {
    expect(await syncs("message")).toEqual([0, 1, 1])
  })

  it("`synced` syncs with every write", async () => {
    expect(await syncs("synced")).toEqual([1, 1, 1])
  })

  it("refuses a value that there is not", async () => {
    await expect(given({ persist: "often" as never })).rejects.toMatchObject({
      code: "InvalidArgumentError",
      data: { argument: "persist", value: "often" },
    })
  })

  it("`unsynced` never syncs", async () => {
    expect(await syncs("unsynced")).toEqual([0, 0, 0])
  })
})

describe("close", () => {
  it("writes what is pending, gives the lease back, and takes no entry afterwards", async () => {
    const all = await given()
    const id = all.session.appendMessage(userMessage("a"))
    await all.session.close()
    await all.session.close()
    expect([await written(all), all.storage.held]).toEqual([[id], 0])
    expect(() => all.session.appendMessage(userMessage("b"))).toThrow(
      expect.objectContaining({ code: "SessionClosedError" }),
    )
    await expect(all.session.flush()).rejects.toMatchObject({ code: "SessionClosedError" })
    await expect(all.session.retry()).rejects.toMatchObject({ code: "SessionClosedError" })
    expect(all.session.getEntries()).toHaveLength(1)
  })

  it("writes and syncs also what is appended while it is at work", async () => {
    const all = await given()
    all.session.appendMessage(userMessage("a"))
    const open = all.storage.hold("sync")
    const closing = all.session.close()
    await new Promise((resolve) => setTimeout(resolve))
    const late = all.session.appendMessage(userMessage("late"))
    open()
    await closing
    expect((await written(all)).at(-1)).toBe(late)
    expect(all.storage.calls.lastIndexOf("sync")).toBeGreaterThan(all.storage.calls.lastIndexOf("append"))
    expect([all.storage.held, all.session.pending]).toEqual([0, 0])
  })

  it("called twice at once closes once", async () => {
    const all = await given()
    all.session.appendMessage(userMessage("a"))
    await Promise.all([all.session.close(), all.session.close()])
    expect([await written(all), all.storage.held]).toEqual([idsOf(all.session.getEntries()), 0])
  })
})

describe("discard", () => {
  it("gives the session back without writing what is pending", async () => {
    const all = await given()
    all.session.appendMessage(userMessage("a"))
    await all.session.flush()
    const before = await written(all)
    all.session.appendMessage(userMessage("b"))
    await all.session.discard()
    await new Promise((resolve) => setTimeout(resolve))
    expect(await written(all)).toEqual(before)
    expect(all.storage.held).toBe(0)
    await (await all.sessions.open(all.key)).close()
  })
})
