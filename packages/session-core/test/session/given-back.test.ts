import { MemorySessionStorage } from "@treelog/session-core"
import type { StoredRanges } from "@treelog/session-core/adapter"
import { relocateSession, verifySession } from "@treelog/session-core/maintenance"
import { sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager } from "./given-manager.js"
import { ObservedStorage } from "./observed-storage.js"
import { putStored } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const OTHER = "memory:/project/other-session"
const long = "x".repeat(4_200_000)

/** Counts what was opened to be read and not closed. */
class RangesStorage extends MemorySessionStorage {
  open = 0
  failsToRead = false

  override openRangesSync(key: string, identity: string): StoredRanges {
    const ranges = super.openRangesSync(key, identity)
    let isOpen = true
    this.open += 1
    return {
      read: (offset, length) => {
        if (this.failsToRead) throw new Error("cannot be read")
        return ranges.read(offset, length)
      },
      close: () => {
        if (isOpen) this.open -= 1
        isOpen = false
      },
    }
  }
}

describe("what nobody has any more is given back", () => {
  it.each(["newSession", "setSessionFile"] as const)(
    "%s leaves the old session open and the new one free when the old one cannot be closed",
    async (method) => {
      const storage = new ObservedStorage()
      const { sessions } = givenManager(storage)
      await putStored(storage.memory, KEY, sessionText(testHeader()))
      await putStored(storage.memory, OTHER, sessionText(testHeader({ id: "other-session" })))
      const session = await sessions.open(KEY)
      session.appendMessage(userMessage("to be stored"))
      storage.failNext("append")
      const next = method === "newSession" ? session.newSession() : session.setSessionFile(OTHER)
      await expect(next).rejects.toMatchObject({ code: "PersistError" })
      expect(storage.held).toBe(1)
      expect(await storage.breadcrumbs.read()).toEqual({ cwd: "/project", key: KEY })
      await session.retry()
      session.appendMessage(userMessage("goes on"))
      await session.close()
      expect(storage.held).toBe(0)
    },
  )

  it("open gives a session back whose breadcrumb cannot be written", async () => {
    const storage = new MemorySessionStorage()
    const { sessions } = givenManager(storage)
    await putStored(storage, KEY, sessionText(testHeader()))
    const { write } = storage.breadcrumbs
    storage.breadcrumbs.write = () => Promise.reject(new Error("no place for it"))
    await expect(sessions.open(KEY)).rejects.toThrow("no place for it")
    storage.breadcrumbs.write = write
    await (await sessions.open(KEY)).close()
  })

  it("closing twice resolves when the session is free, and a flush that was overtaken by discard fails", async () => {
    const storage = new ObservedStorage()
    const { sessions } = givenManager(storage)
    await putStored(storage.memory, KEY, sessionText(testHeader()))
    const session = await sessions.open(KEY)
    session.appendMessage(userMessage("one"))
    const first = session.close()
    await session.flush()
    const free = storage.hold("release")
    let isSecondDone = false
    const second = session.close().then(() => {
      isSecondDone = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    if (storage.held > 0) expect(isSecondDone).toBe(false)
    free()
    await Promise.all([first, second])
    expect(storage.held).toBe(0)

    const again = await sessions.open(KEY)
    again.appendMessage(userMessage("two"))
    const flushed = again.flush()
    const failed = expect(flushed).rejects.toMatchObject({ code: "SessionClosedError" })
    await again.discard()
    await failed
  })

  it("readContext closes what it opened, whichever way it reads and whether it fails", async () => {
    const storage = new RangesStorage()
    const { sessions } = givenManager(storage)
    await putStored(storage, KEY, sessionText(testHeader(), userEntry("a", null, long)))
    await sessions.readContext(KEY)
    await expect(sessions.readContext(KEY, { leafId: "nothing" })).rejects.toMatchObject({ code: "EntryNotFoundError" })
    await sessions.readContext(KEY, { leafId: null })
    expect(storage.open).toBe(0)
    const session = await sessions.open(KEY, { access: "read" })
    expect(storage.open).toBe(1)
    await session.close()
    await verifySession(sessions, KEY)
    expect(storage.open).toBe(0)
    storage.failsToRead = true
    for (const failing of [sessions.readContext(KEY), sessions.open(KEY), sessions.open(KEY, { access: "read" })])
      await expect(failing).rejects.toThrow("cannot be read")
    expect(storage.open).toBe(0)
  })
})

describe("what was read before a wait is not used after it", () => {
  it("relocate changes the header of the file that it moved, not of the one that it read", async () => {
    const storage = new MemorySessionStorage()
    const { sessions } = givenManager(storage)
    await putStored(storage, KEY, sessionText(testHeader()))
    const { lease } = storage
    storage.lease = async (key, options) => {
      const taken = await lease.call(storage, key, options)
      const { move } = taken
      taken.move = async (to) => {
        // An editor that knows no lease: a title line comes in front of the header.
        const expected = await storage.stat(key)
        const text = sessionText({ type: "title", title: "T" }, testHeader(), userEntry("a", null))
        if (expected) await taken.replace([new TextEncoder().encode(text)], { expected })
        await move.call(taken, to)
      }
      return taken
    }
    const to = await relocateSession(sessions, KEY, "/elsewhere")
    const session = await sessions.open(to, { access: "read" })
    expect(session.getHeader()).toEqual(testHeader({ cwd: "/elsewhere" }))
    expect(session.getSessionName()).toBe("T")
    expect(session.getEntries()).toEqual([userEntry("a", null)])
  })
})
