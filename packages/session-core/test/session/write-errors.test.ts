import { TreelogError } from "@treelog/session-core"
import { moveSession } from "@treelog/session-core/maintenance"
import { userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { CWD, givenManager, idsOf, keyOf } from "./given-manager.js"
import { ObservedStorage } from "./observed-storage.js"
import { storedRecords } from "./stored-bytes.js"

async function given(access: "exclusive" | "shared" = "exclusive") {
  const made = givenManager(new ObservedStorage())
  const session = await made.sessions.create(CWD, { access })
  const key = keyOf(session)
  const first = session.appendMessage(userMessage("first"))
  await session.flush()
  const written = async () => idsOf((await storedRecords(made.storage, key)) as { id: string }[]).slice(1)
  return { ...made, session, key, first, written }
}

const failed = (pending: number) => ({ code: "PersistError", data: { pending }, cause: { message: "no space left" } })

describe.each(["exclusive", "shared"] as const)("a write that failed in an %s session", (access) => {
  it.each(["append", "sync"] as const)(
    "at %s is reported by flush, close and later appends, until a retry",
    async (operation) => {
      const { session, storage, first, written } = await given(access)
      storage.failNext(operation)
      const second = session.appendMessage(userMessage("second"))
      const third = session.appendMessage(userMessage("third"))
      const error = failed(operation === "append" ? 2 : 0)
      await expect(session.flush()).rejects.toMatchObject(error)
      await expect(session.close()).rejects.toMatchObject(error)
      expect(() => session.appendMessage(userMessage("refused"))).toThrow(
        expect.objectContaining({ code: "PersistError" }),
      )
      expect(idsOf(session.getEntries())).toEqual([first, second, third])
      await session.retry()
      const fourth = session.appendMessage(userMessage("fourth"))
      await session.close()
      expect(await written()).toEqual([first, second, third, fourth])
      expect(storage.held).toBe(0)
    },
  )

  it("can fail again, and be tried again, and writes each entry once", async () => {
    const { session, storage, first, written } = await given(access)
    for (let count = 0; count < 3; count++) storage.failNext("append")
    const second = session.appendMessage(userMessage("second"))
    const message = `${session.getSessionFile()} could not be written: no space left. 1 entry is kept in memory; retry() tries again.`
    await expect(session.flush()).rejects.toMatchObject({ ...failed(1), message })
    await expect(session.retry()).rejects.toMatchObject(failed(1))
    await expect(session.retry()).rejects.toMatchObject(failed(1))
    await session.retry()
    await session.retry()
    await session.close()
    expect(await written()).toEqual([first, second])
  })

  it("can be given up: discard gives the session to others", async () => {
    const { session, sessions, storage, key, first } = await given(access)
    storage.failNext("append")
    session.appendMessage(userMessage("lost"))
    await expect(session.flush()).rejects.toMatchObject(failed(1))
    await session.discard()
    const next = await sessions.open(key)
    expect(idsOf(next.getEntries())).toEqual([first])
  })
})

describe("a write that found another file than was read", () => {
  it.each(["shrunk", "gone"] as const)("(%s) is tried again once the file is looked at anew", async (change) => {
    const { session, storage, key, first, written } = await given()
    const data = { key, change }
    storage.failNext("append", new TreelogError("SessionChangedError", "not what was read", data))
    const second = session.appendMessage(userMessage("second"))
    await expect(session.flush()).rejects.toMatchObject({ code: "PersistError", cause: { data } })
    expect(await written()).toEqual([first])
    await session.retry()
    const third = session.appendMessage(userMessage("third"))
    await session.close()
    expect(await written()).toEqual([first, second, third])
    expect(storage.held).toBe(0)
  })
})

describe("a failing first write", () => {
  it.each(["lease", "create"] as const)(
    "at %s is latched, and tried again with all that is pending",
    async (operation) => {
      const { sessions, storage } = givenManager(new ObservedStorage())
      const session = await sessions.create(CWD)
      storage.failNext(operation)
      const ids = [session.appendThinkingLevelChange("low"), session.appendMessage(userMessage("a"))]
      await expect(session.flush()).rejects.toMatchObject(failed(2))
      expect(await storage.stat(keyOf(session))).toBeUndefined()
      await session.retry()
      await session.close()
      expect(idsOf((await storedRecords(storage, keyOf(session))) as { id: string }[]).slice(1)).toEqual(ids)
    },
  )

  it("is nobody's unhandled rejection", async () => {
    const unhandled: unknown[] = []
    const listen = (error: unknown) => unhandled.push(error)
    process.on("unhandledRejection", listen)
    const { sessions, storage } = givenManager(new ObservedStorage())
    const session = await sessions.create(CWD)
    storage.failNext("create")
    session.appendMessage(userMessage("a"))
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off("unhandledRejection", listen)
    expect(unhandled).toEqual([])
    await expect(session.flush()).rejects.toMatchObject(failed(1))
  })
})

describe("a second opener", () => {
  it("of an exclusive session fails at once as busy, and names the holder", async () => {
    const { session, sessions, key } = await given()
    await expect(sessions.open(key)).rejects.toMatchObject({
      code: "SessionBusyError",
      data: { key, pid: expect.any(Number), host: expect.any(String), since: expect.any(String) },
    })
    await expect(sessions.delete(key)).rejects.toMatchObject({ code: "SessionBusyError" })
    await expect(moveSession(sessions, key, "/other")).rejects.toMatchObject({ code: "SessionBusyError" })
    await session.close()
    await (await sessions.open(key)).close()
  })

  it("that only reads never fails so", async () => {
    const { sessions, key, first } = await given()
    expect(idsOf((await sessions.open(key, { access: "read" })).getEntries())).toEqual([first])
  })
})
