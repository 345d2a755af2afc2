import { verifySession } from "@treelog/session-core/maintenance"
import { bytesOf, entry, sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { OpenMemoryStorage } from "./foreign-writer.js"
import { givenManager, idsOf } from "./given-manager.js"
import { putStored, storedRecords, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const whole = sessionText(testHeader(), userEntry("a", null), userEntry("b", "a"))

describe("two shared sessions", () => {
  async function given() {
    const one = givenManager()
    const two = givenManager(one.storage, 1)
    await putStored(one.storage, KEY, whole)
    const open = (manager: typeof one) => manager.sessions.open(KEY, { access: "shared" })
    return { storage: one.storage, sessions: one.sessions, left: await open(one), right: await open(two) }
  }

  it("append in turn: nothing is lost, ids are unique, all parents resolve", async () => {
    const { left, right, sessions, storage } = await given()
    for (let round = 0; round < 25; round++) {
      left.appendMessage(userMessage(`left ${round}`))
      right.appendMessage(userMessage(`right ${round}`))
      if (round % 3 === 0) await Promise.all([left.flush(), right.flush()])
      if (round % 7 === 0) await right.refresh()
    }
    await Promise.all([left.close(), right.close()])
    const records = await storedRecords(storage, KEY)
    expect(records).toHaveLength(1 + 2 + 50)
    const again = await sessions.open(KEY, { access: "read" })
    expect(again.getDiagnostics()).toEqual([])
    expect(new Set(idsOf(again.getEntries())).size).toBe(52)
  })

  it("see what the other wrote, and stay on their own branch", async () => {
    const { left, right } = await given()
    const mine = left.appendMessage(userMessage("left"))
    await left.flush()
    const theirs = right.appendMessage(userMessage("right"))
    await right.flush()
    expect(idsOf(await right.refresh())).toEqual([mine])
    expect(idsOf(await left.refresh())).toEqual([theirs])
    expect(right.getEntry(theirs)).toMatchObject({ parentId: "b" })
    expect([left.getLeafId(), right.getLeafId()]).toEqual([mine, theirs])
    expect(left.getDiagnostics()).toEqual([])
  })

  it("can branch off what the other wrote", async () => {
    const { left, right, sessions } = await given()
    const mine = left.appendMessage(userMessage("left"))
    await left.flush()
    await right.refresh()
    right.branch(mine)
    const reply = right.appendMessage(userMessage("right"))
    const branched = await right.createBranchedSession(reply)
    expect(idsOf(branched.getEntries())).toEqual(["a", "b", mine, reply])
    await Promise.all([left.close(), right.close(), branched.close()])
    expect(idsOf((await sessions.open(KEY, { access: "read" })).getBranch(reply))).toEqual(["a", "b", mine, reply])
  })

  it("that both begin at a place without bytes end up in one session", async () => {
    const one = givenManager()
    const two = givenManager(one.storage, 1)
    await putStored(one.storage, KEY, "")
    const begun = await Promise.all(
      [one, two].map(({ sessions }) => sessions.open(KEY, { access: "shared", cwd: "/project" })),
    )
    const ids = begun.map((session, index) => session.appendMessage(userMessage(`${index}`)))
    await Promise.all(begun.map((session) => session.close()))
    const records = await storedRecords(one.storage, KEY)
    expect(records.filter(({ type }) => type === "session")).toHaveLength(1)
    expect(
      records
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort())
    expect((await verifySession(one.sessions, KEY)).diagnostics).toEqual([])
  })

  it("can be opened beside each other at any time, but not beside an exclusive one", async () => {
    const { left, right, sessions } = await given()
    await Promise.all([left.close(), right.close()])
    const alone = await sessions.open(KEY)
    await expect(sessions.open(KEY, { access: "shared", busyTimeoutMs: 0 })).rejects.toMatchObject({
      code: "SessionBusyError",
    })
    await alone.close()
  })
})

describe("a writer that knows no lease", () => {
  async function given(text = whole) {
    const made = givenManager(new OpenMemoryStorage())
    await putStored(made.storage, KEY, text)
    return { ...made, session: await made.sessions.open(KEY) }
  }

  const foreign = userEntry("f", "b")

  it("is noticed before the next write: its entries are read in, ours keep their parents, and it is reported", async () => {
    const { session, storage, sessions } = await given()
    await storage.foreignAppend(KEY, sessionText(foreign))
    const mine = session.appendMessage(userMessage("mine"))
    await session.flush()
    expect(session.getEntry("f")).toEqual(foreign)
    expect(session.getEntry(mine)).toMatchObject({ parentId: "b" })
    expect(session.getLeafId()).toBe(mine)
    expect(session.getDiagnostics()).toMatchObject([{ kind: "foreign-append", line: 4, offset: bytesOf(whole).length }])
    expect(idsOf(await session.refresh())).toEqual(["f"])
    await session.close()
    expect(idsOf((await sessions.open(KEY, { access: "read" })).getEntries())).toEqual(["a", "b", "f", mine])
  })

  it("has its entries before ours in memory too, as in the file: of names and labels ours, the later, win", async () => {
    const { session, storage, sessions } = await given()
    const theirs = [
      entry("session_info", "n", "b", { name: "theirs" }),
      entry("label", "l", "n", { targetId: "a", label: "theirs" }),
    ]
    await storage.foreignAppend(KEY, sessionText(...theirs))
    session.appendSessionInfo("ours")
    session.appendLabelChange("a", "ours")
    session.appendMessage(userMessage("mine"))
    await session.close()
    const again = await sessions.open(KEY, { access: "read" })
    expect(idsOf(session.getEntries())).toEqual(idsOf(again.getEntries()))
    for (const one of [session, again]) expect([one.getSessionName(), one.getLabel("a")]).toEqual(["ours", "ours"])
  })

  it("is noticed by refresh, without a write of ours", async () => {
    const { session, storage } = await given()
    await storage.foreignAppend(KEY, sessionText(foreign))
    expect(idsOf(await session.refresh())).toEqual(["f"])
    expect(await session.refresh()).toEqual([])
    expect(session.getLeafId()).toBe("b")
  })

  it.each(["", "\r"])("that leaves no LF behind does not glue its entry to ours (%j)", async (end) => {
    const { session, storage } = await given()
    await storage.foreignAppend(KEY, sessionText(foreign).slice(0, -1), end)
    const mine = session.appendMessage(userMessage("mine"))
    await session.close()
    const records = await storedRecords(storage, KEY)
    expect(idsOf(records as { id: string }[])).toEqual(["test-session", "a", "b", "f", mine])
    expect(session.getEntry("f")).toEqual(foreign)
  })

  it("that leaves no LF behind does not glue its entry to ours after a refresh either", async () => {
    const { session, storage } = await given()
    await storage.foreignAppend(KEY, sessionText(foreign).slice(0, -1))
    expect(await session.refresh()).toEqual([])
    const mine = session.appendMessage(userMessage("mine"))
    await session.flush()
    expect(session.getEntry("f")).toEqual(foreign)
    const branch = await session.createBranchedSession(mine)
    expect(branch.getEntry(mine)).toEqual(session.getEntry(mine))
    expect(idsOf((await storedRecords(storage, KEY)) as { id: string }[])).toEqual([
      "test-session",
      "a",
      "b",
      "f",
      mine,
    ])
  })

  it("that was torn in the middle of a line has that line closed, and reported", async () => {
    const { session, storage, sessions } = await given()
    await storage.foreignAppend(KEY, '{"type":"message","id":"to')
    const mine = session.appendMessage(userMessage("mine"))
    await session.close()
    const again = await sessions.open(KEY, { access: "read" })
    expect(idsOf(again.getEntries())).toEqual(["a", "b", mine])
    expect(again.getDiagnostics()).toMatchObject([{ kind: "invalid-json", line: 4 }])
  })

  it("that appends a second header, garbage and objects that are no entries harms nothing", async () => {
    const { session, storage } = await given()
    await storage.foreignAppend(KEY, sessionText(testHeader({ id: "x" }), "{garbage", { a: 1 }, foreign))
    expect(idsOf(await session.refresh())).toEqual(["f"])
    expect(idsOf(session.getEntries())).toEqual(["a", "b", "f"])
    const kinds = session.getDiagnostics().map(({ kind, line }) => [kind, line])
    expect(kinds).toContainEqual(["extra-header", 4])
    expect(kinds).toContainEqual(["invalid-json", 5])
    expect(kinds).toContainEqual(["not-an-entry", 6])
  })

  it("keeps every kind that it appends byte for byte in a copy of the branch", async () => {
    const { session, storage } = await given()
    const line = `{ "type":"hologram", "id":"h", "parentId":"b", "timestamp":"t", "n":1.0, "big":12345678901234567890 }`
    await storage.foreignAppend(KEY, line, "\n")
    await session.refresh()
    const branch = await session.createBranchedSession("h")
    expect(await storedText(storage, branch.getSessionFile() ?? "")).toContain(`\n${line}\n`)
  })

  it("whose entry names one that is only pending here is read right", async () => {
    const { session, storage } = await given()
    await storage.foreignAppend(KEY, sessionText(entry("message", "g", "00000001", { message: userMessage("g") })))
    const mine = session.appendMessage(userMessage("mine"))
    await session.flush()
    expect(mine).toBe("00000001")
    expect(idsOf(session.getBranch("g"))).toEqual(["a", "b", mine, "g"])
    expect(session.getDiagnostics().map(({ kind }) => kind)).toEqual(["foreign-append"])
  })
})

describe("a stored session that is no longer the one that was read", () => {
  async function given() {
    const made = givenManager(new OpenMemoryStorage())
    await putStored(made.storage, KEY, whole)
    const session = await made.sessions.open(KEY)
    const mine = session.appendMessage(userMessage("mine"))
    await session.flush()
    return { ...made, session, mine }
  }

  const changed = (change: string) => ({
    code: "PersistError",
    cause: { code: "SessionChangedError", data: { key: KEY, change } },
  })

  it("because it was replaced by the same session is written on, with what the new one lacks, once", async () => {
    const { session, storage, sessions, mine } = await given()
    const replaced = sessionText(testHeader(), userEntry("a", null), userEntry("b", "a"), userEntry("new", "b"))
    await storage.foreignReplace(KEY, replaced)
    const next = session.appendMessage(userMessage("next"))
    await session.flush()
    expect(session.getEntry("new")).toBeDefined()
    await session.close()
    const again = await sessions.open(KEY, { access: "read" })
    expect(idsOf(again.getEntries())).toEqual(["a", "b", "new", mine, next])
    expect(again.getDiagnostics()).toEqual([])
  })

  it("because it was reset to an earlier state gets what it lacks when it is read or flushed", async () => {
    const { session, storage, sessions, mine } = await given()
    await storage.foreignReplace(KEY, whole)
    await session.refresh()
    const next = session.appendMessage(userMessage("next"))
    await session.flush()
    await storage.foreignReplace(KEY, whole)
    const last = session.appendMessage(userMessage("last"))
    await session.close()
    expect(idsOf((await sessions.open(KEY, { access: "read" })).getEntries())).toEqual(["a", "b", mine, next, last])
  })

  it("because it is gone is an error that stays, and nothing is written", async () => {
    const { session, storage } = await given()
    await storage.foreignRemove(KEY)
    session.appendMessage(userMessage("next"))
    await expect(session.flush()).rejects.toMatchObject(changed("gone"))
    await expect(session.retry()).rejects.toMatchObject(changed("gone"))
    expect(await storage.stat(KEY)).toBeUndefined()
    expect(session.getEntries()).toHaveLength(4)
  })

  it("because it is another session now is never written to", async () => {
    const { session, storage } = await given()
    const other = sessionText(testHeader({ id: "another" }), userEntry("z", null))
    await storage.foreignReplace(KEY, other)
    session.appendMessage(userMessage("next"))
    await expect(session.flush()).rejects.toMatchObject(changed("replaced"))
    await expect(session.retry()).rejects.toMatchObject(changed("replaced"))
    expect(await storedText(storage, KEY)).toBe(other)
    expect(session.getEntry("z")).toBeUndefined()
  })
})
