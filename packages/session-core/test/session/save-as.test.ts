import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { createSync } from "@treelog/session-core/sync"
import {
  assistantMessage,
  sessionText,
  testClock,
  testHeader,
  testIds,
  toolResultMessage,
  userEntry,
  userMessage,
} from "@treelog-internal/test-kit"
import { describe, expect, it, vi } from "vitest"
import { OpenMemoryStorage } from "./foreign-writer.js"
import { givenManager, idsOf, keyOf } from "./given-manager.js"
import { ObservedStorage } from "./observed-storage.js"
import { putStored, storedRecords, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const ELSEWHERE = "memory:/project/elsewhere"
const gone = { code: "PersistError", cause: { code: "SessionChangedError", data: { change: "gone" } } }
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe.each(["exclusive", "shared"] as const)("a session whose file was removed (%s)", (access) => {
  async function given() {
    const made = givenManager(new OpenMemoryStorage())
    const slot = `${JSON.stringify({ type: "title", title: "By omp" })}\n`
    await putStored(made.storage, KEY, slot, sessionText(testHeader({ "x-own": 1 }), userEntry("a", null)))
    const session = await made.sessions.open(KEY, { access })
    const before = session.appendMessage(userMessage("before"))
    await session.flush()
    await made.storage.foreignRemove(KEY)
    const after = session.appendMessage(userMessage("after"))
    await expect(session.flush()).rejects.toMatchObject(gone)
    return { ...made, session, ids: ["a", before, after] }
  }

  it("cannot be written by a retry alone, which says what can be done", async () => {
    const { session } = await given()
    await expect(session.retry()).rejects.toMatchObject(gone)
    await expect(session.retry()).rejects.toThrow(/saveAs\(\).*retry\(\{ recreate: true \}\)/)
    await session.discard()
  })

  it("is stored elsewhere by saveAs, whole, and goes on there", async () => {
    const { session, sessions, storage, ids } = await given()
    await session.saveAs(ELSEWHERE)
    expect(session.getSessionFile()).toBe(ELSEWHERE)
    expect(session.pending).toBe(0)
    expect(await storage.breadcrumbs.read()).toEqual({ cwd: "/project", key: ELSEWHERE })
    const next = session.appendMessage(assistantMessage("on"))
    await session.close()
    const [header, ...entries] = await storedRecords(storage, ELSEWHERE)
    expect(header).toEqual(testHeader({ "x-own": 1, title: "By omp" }))
    expect(entries.map(({ id }) => id)).toEqual([...ids, next])
    expect((await verifySession(sessions, ELSEWHERE)).diagnostics).toEqual([])
    expect(await storage.stat(KEY)).toBeUndefined()
  })

  it("is stored where it was by a retry that recreates it", async () => {
    const { session, sessions, storage, ids } = await given()
    await session.retry({ recreate: true })
    const branch = await session.createBranchedSession(ids[2] as string)
    expect(idsOf(branch.getEntries()).slice(0, 3)).toEqual(ids)
    await Promise.all([session.close(), branch.close()])
    expect((await storedRecords(storage, KEY)).slice(1).map(({ id }) => id)).toEqual(ids)
    expect((await verifySession(sessions, KEY)).diagnostics).toEqual([])
  })

  it("is recreated also when no write has failed yet", async () => {
    const { session, storage, ids } = await given()
    await session.retry({ recreate: true })
    await storage.foreignRemove(KEY)
    await session.retry({ recreate: true })
    expect((await storedRecords(storage, KEY)).slice(1).map(({ id }) => id)).toEqual(ids)
    await session.close()
  })

  it("is read, not recreated, where the same session is there again", async () => {
    const { session, storage, ids } = await given()
    await storage.foreignCreate(KEY, sessionText(testHeader(), userEntry("a", null), userEntry("b", "a")))
    await session.retry({ recreate: true })
    expect(idsOf(session.getEntries())).toEqual(["a", "b", ...ids.slice(1)])
    await session.close()
    expect((await storedRecords(storage, KEY)).slice(1).map(({ id }) => id)).toEqual(["a", "b", ...ids.slice(1)])
  })
})

describe("saveAs", () => {
  it("never writes over another session, and leaves the session where it was", async () => {
    const storage = new ObservedStorage()
    const { sessions } = givenManager(storage)
    const other = await putStored(storage.memory, ELSEWHERE, sessionText(testHeader({ id: "elsewhere" })))
    const before = await storedText(storage.memory, other)
    const session = await sessions.create("/project")
    session.appendMessage(userMessage("one"))
    await session.flush()
    const key = keyOf(session)
    await expect(session.saveAs(ELSEWHERE)).rejects.toMatchObject({ code: "SessionExistsError" })
    storage.failNext("sync")
    await expect(session.saveAs(`${ELSEWHERE}-2`)).rejects.toThrow("no space left")
    expect(await storage.stat(`${ELSEWHERE}-2`)).toBeUndefined()
    session.appendMessage(userMessage("two"))
    await session.close()
    expect(storage.held).toBe(0)
    expect(await storedText(storage.memory, ELSEWHERE)).toBe(before)
    expect(await storedRecords(storage.memory, key)).toHaveLength(3)
  })

  it("keeps what is appended while it is under way, and where it fails", async () => {
    for (const fails of [false, true]) {
      const storage = new ObservedStorage()
      const { sessions } = givenManager(storage)
      const session = await sessions.create("/project")
      const ids = [session.appendMessage(userMessage("one"))]
      await session.flush()
      ids.push(session.appendMessage(toolResultMessage("two")))
      const open = storage.hold("create")
      if (fails) storage.failNext("create")
      const saved = Promise.allSettled([session.saveAs(ELSEWHERE)])
      await settled()
      ids.push(session.appendMessage(userMessage("three")))
      open()
      const [{ status }] = await saved
      expect(status).toBe(fails ? "rejected" : "fulfilled")
      const key = keyOf(session)
      await session.close()
      expect((await storedRecords(storage.memory, key)).slice(1).map(({ id }) => id)).toEqual(ids)
    }
  })

  it("stores a new session that has no file yet", async () => {
    const { sessions, storage } = givenManager()
    const session = await sessions.create("/project")
    session.appendModelChange("p", "m")
    await session.saveAs(ELSEWHERE)
    await session.close()
    expect(await storedRecords(storage, ELSEWHERE)).toHaveLength(2)
  })

  it("lets a watch go on at the new key", async () => {
    const storage = new OpenMemoryStorage()
    const { sessions } = givenManager(storage)
    await putStored(storage, KEY, sessionText(testHeader(), userEntry("a", null)))
    const session = await sessions.open(KEY)
    const watch = session.watch(new AbortController().signal)
    const next = watch.next()
    await settled()
    await session.saveAs(ELSEWHERE)
    await settled()
    await storage.foreignAppend(ELSEWHERE, `${JSON.stringify(userEntry("b", "a"))}\n`)
    expect((await next).value?.id).toBe("b")
    await session.close()
  })

  it("is refused by sessions that are not written, and for what is no key", async () => {
    const { sessions, storage } = givenManager()
    await putStored(storage, KEY, sessionText(testHeader()))
    const reading = await sessions.open(KEY, { access: "read" })
    await expect(reading.saveAs(ELSEWHERE)).rejects.toMatchObject({ code: "ReadOnlySessionError" })
    await expect(sessions.inMemory().saveAs(ELSEWHERE)).rejects.toMatchObject({ code: "InvalidArgumentError" })
    await expect(reading.saveAs("elsewhere")).rejects.toMatchObject({ code: "InvalidArgumentError" })
    const closed = await sessions.open(KEY)
    await closed.close()
    await expect(closed.saveAs(ELSEWHERE)).rejects.toMatchObject({ code: "SessionClosedError" })
  })
})

describe("a branch of a session that is persisted from the first answer", () => {
  it("has no file until an answer comes, and then has all of it", async () => {
    const { sessions, storage } = givenManager()
    const session = await sessions.create("/project", { persist: "pi" })
    const question = session.appendMessage(userMessage("question"))
    session.appendLabelChange(question, "here")
    session.branch(question)
    const answer = session.appendMessage(assistantMessage("answer"))
    await session.flush()
    const [asked, answered] = [
      await session.createBranchedSession(question),
      await session.createBranchedSession(answer),
    ]
    await asked.flush()
    expect(await storage.stat(keyOf(asked))).toBeUndefined()
    expect(await storage.stat(keyOf(answered))).toBeDefined()
    expect(asked.getLabel(question)).toBe("here")
    asked.appendMessage(assistantMessage("another answer"))
    await Promise.all([session.close(), asked.close(), answered.close()])
    const [header, ...entries] = await storedRecords(storage, keyOf(asked))
    expect(header).toMatchObject({ parentSession: keyOf(session) })
    expect(entries.map(({ type }) => type)).toEqual(["message", "label", "message"])
    expect((await verifySession(sessions, keyOf(asked))).diagnostics).toEqual([])
  })
})

it("saveAs stores what was appended synchronously while it stored images, when it is done", async () => {
  const blobs = new MemoryBlobStore()
  const storage = new MemorySessionStorage()
  const sessions = new SessionManager({ storage, blobs, clock: testClock(), ids: testIds() })
  const session = createSync(sessions, "/project", { persist: "append" })
  const first = session.appendMessage(userMessage("x".repeat(600_000)))
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const put = vi.spyOn(blobs, "put").mockImplementation(async (...args) => {
    await held
    return MemoryBlobStore.prototype.put.apply(blobs, args)
  })
  const saved = session.saveAs(ELSEWHERE)
  await vi.waitFor(() => expect(put).toHaveBeenCalled())
  expect(() => session.appendMessage(userMessage("meanwhile"))).toThrow(/saveAs\(\) is under way/)
  finish()
  await saved
  session.flushSync()
  expect(session.getEntries()).toHaveLength(2)
  expect((await storedRecords(storage, ELSEWHERE)).slice(1).map(({ id }) => id)).toEqual([first, session.getLeafId()])
  await session.close()
})
