import { moveSession, verifySession } from "@treelog/session-core/maintenance"
import { openSync } from "@treelog/session-core/sync"
import { assistantEntry, sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it, vi } from "vitest"
import { givenManager, idsOf } from "./given-manager.js"
import { putStored, storedRecords, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const A = userEntry("a", null)
const B = assistantEntry("b", "a")
const whole = sessionText(testHeader(), A, B)

async function given(...pieces: Parameters<typeof putStored> extends [unknown, unknown, ...infer Rest] ? Rest : never) {
  const made = givenManager()
  await putStored(made.storage, KEY, ...pieces)
  return made
}

const isStandIn = (entry: object): boolean => "customType" in entry && entry.customType === "treelog.damaged"
const kinds = (diagnostics: readonly { kind: string }[]) => diagnostics.map(({ kind }) => kind)
const invalid = { code: "InvalidSessionError", data: { key: KEY, found: expect.any(String) } }

describe("a session that is replaced while it is read", () => {
  it("is read again, and an error where that does not end", async () => {
    const { sessions, storage } = await given(whole)
    const found = await storage.stat(KEY)
    if (!found) throw new Error("nothing is stored")
    const former = { ...found, identity: "former" }
    const stat = vi.spyOn(storage, "statSync").mockReturnValueOnce(former)
    const session = await sessions.open(KEY, { access: "read" })
    expect(idsOf(session.getEntries())).toEqual(["a", "b"])
    stat.mockReturnValue(former)
    await expect(sessions.open(KEY, { access: "read" })).rejects.toMatchObject({ code: "SessionChangedError" })
  })

  it("is read again for its context, too", async () => {
    const { sessions, storage } = await given(whole)
    const found = await storage.stat(KEY)
    if (!found) throw new Error("nothing is stored")
    const stat = vi.spyOn(storage, "stat").mockResolvedValueOnce({ ...found, identity: "former" })
    expect((await sessions.readContext(KEY)).entries).toEqual(["a", "b"])
    stat.mockResolvedValue({ ...found, identity: "former" })
    await expect(sessions.readContext(KEY)).rejects.toMatchObject({ code: "SessionChangedError" })
  })
})

describe("a session that is missing", () => {
  it("is not found for reading", async () => {
    const { sessions, storage } = givenManager()
    await expect(sessions.open(KEY, { access: "read" })).rejects.toMatchObject({
      code: "SessionNotFoundError",
      data: { ref: KEY },
    })
    await expect(sessions.readContext(KEY)).rejects.toMatchObject({ code: "SessionNotFoundError" })
    await expect(verifySession(sessions, KEY)).rejects.toMatchObject({ code: "SessionNotFoundError" })
    expect(await storage.stat(KEY)).toBeUndefined()
  })

  it("is not found for writing either, and nothing is stored", async () => {
    const { sessions, storage } = givenManager()
    for (const access of ["exclusive", "shared"] as const)
      await expect(sessions.open(KEY, { access, cwd: "/project" })).rejects.toMatchObject({
        code: "SessionNotFoundError",
        data: { ref: KEY },
      })
    expect(() => openSync(sessions, KEY)).toThrow(expect.objectContaining({ code: "SessionNotFoundError" }))
    expect(await storage.stat(KEY)).toBeUndefined()
    const free = await storage.lease(KEY, { access: "exclusive", waitMs: 0 })
    expect(free.key).toBe(KEY)
  })

  it("is a new one of the folder that openSync gets, which is stored only with its first message", async () => {
    const { sessions, storage } = givenManager()
    const session = openSync(sessions, KEY, { cwd: "/project" })
    await session.flush()
    expect([session.getEntries(), session.getSessionFile(), await storage.stat(KEY)]).toEqual([[], KEY, undefined])
    session.appendMessage(userMessage("a"))
    await session.close()
    expect(await storedRecords(storage, KEY)).toMatchObject([
      { type: "session", version: 3, cwd: "/project" },
      { type: "message" },
    ])
  })
})

describe("a session without bytes", () => {
  it("reads as an empty session, and stays as it is", async () => {
    const { sessions, storage } = await given("")
    const session = await sessions.open(KEY, { access: "read" })
    expect([session.getEntries(), session.getLeafId(), session.buildSessionContext().messages]).toEqual([[], null, []])
    expect((await storage.stat(KEY))?.size).toBe(0)
  })

  it("gets a fresh header for writing", async () => {
    const { sessions, storage } = await given("")
    const session = await sessions.open(KEY, { cwd: "/project" })
    await session.flush()
    expect(await storedRecords(storage, KEY)).toEqual([session.getHeader()])
    const id = session.appendMessage(userMessage("a"))
    await session.close()
    expect((await storedRecords(storage, KEY))[1]).toMatchObject({ id })
    const again = await sessions.open(KEY, { access: "read" })
    expect([again.getSessionId(), idsOf(again.getEntries())]).toEqual([session.getSessionId(), [id]])
  })
})

describe("what is no session", () => {
  const GARBAGE = "hello\nworld\n"

  it("is refused for reading and writing, with what was found, and not touched", async () => {
    const { sessions, storage } = await given(GARBAGE)
    for (const access of ["read", "exclusive", "shared"] as const)
      await expect(sessions.open(KEY, { access })).rejects.toMatchObject(invalid)
    expect(await storedText(storage, KEY)).toBe(GARBAGE)
  })

  it("can be opened by the next one after a refusal: no lease is left behind", async () => {
    const { sessions } = await given(GARBAGE)
    await expect(sessions.open(KEY)).rejects.toMatchObject(invalid)
    await expect(sessions.open(KEY)).rejects.toMatchObject(invalid)
  })
})

describe("a session with bad lines in the middle", () => {
  const text = `${sessionText(testHeader(), A)}{broken\n42\n${JSON.stringify(B)}${JSON.stringify(userEntry("c", "b"))}\n`

  it("is read without them, each reported with line and offset; glued records are both there", async () => {
    const { sessions } = await given(text)
    const session = await sessions.open(KEY, { access: "read" })
    expect(idsOf(session.getEntries())).toEqual(["a", "b", "c"])
    expect(session.getDiagnostics()).toMatchObject([
      { kind: "invalid-json", line: 3, offset: text.indexOf("{broken") },
      { kind: "not-an-entry", line: 4, offset: text.indexOf("42") },
      { kind: "glued-records", line: 5, offset: text.indexOf(JSON.stringify(B)) },
    ])
  })

  it("keeps every byte of them when it is written on", async () => {
    const { sessions, storage } = await given(text)
    const session = await sessions.open(KEY)
    session.appendMessage(userMessage("next"))
    await session.close()
    const stored = (await storedText(storage, KEY)) ?? ""
    expect(stored.startsWith(text)).toBe(true)
    expect(JSON.parse(stored.slice(text.length))).toMatchObject({ parentId: "c" })
  })

  it("reports objects that are no entries", async () => {
    const { sessions } = await given(
      sessionText(testHeader(), { type: "x" }, { id: "y" }, { type: "x", id: "" }, { type: 5, id: "z" }, A),
    )
    const session = await sessions.open(KEY, { access: "read" })
    expect(idsOf(session.getEntries())).toEqual(["a"])
    expect(kinds(session.getDiagnostics())).toEqual(Array(4).fill("not-an-entry"))
  })

  it("reads a parent that is neither an id nor null as none", async () => {
    const { sessions } = await given(sessionText(testHeader(), { ...A, parentId: 5 }, { ...B, parentId: undefined }))
    const session = await sessions.open(KEY, { access: "read" })
    expect(session.getTree()).toHaveLength(2)
  })
})

describe("a session whose last line is torn", () => {
  const torn = '{"type":"message","id":"torn","par'

  it("is read without it, and reported", async () => {
    const { sessions } = await given(whole, torn)
    const session = await sessions.open(KEY, { access: "read" })
    expect(idsOf(session.getEntries())).toEqual(["a", "b"])
    expect(session.getDiagnostics()).toMatchObject([{ kind: "torn-line", line: 4, offset: whole.length }])
  })

  it("is not touched by opening; the line is closed before the first append", async () => {
    const { sessions, storage } = await given(whole, torn)
    const session = await sessions.open(KEY)
    await session.flush()
    expect(await storedText(storage, KEY)).toBe(whole + torn)
    const id = session.appendMessage(userMessage("next"))
    await session.close()
    const stored = (await storedText(storage, KEY)) ?? ""
    expect(stored.startsWith(`${whole}${torn}\n{`)).toBe(true)
    const again = await sessions.open(KEY, { access: "read" })
    expect(idsOf(again.getEntries())).toEqual(["a", "b", id])
    expect(again.getEntry(id)).toMatchObject({ parentId: "b" })
  })

  it("opens wherever the last two entries were cut, and the next append is readable", async () => {
    const last = whole.lastIndexOf("\n", whole.length - 2) + 1
    const first = whole.lastIndexOf("\n", last - 2) + 1
    for (let end = first; end < whole.length; end++) {
      const { sessions } = await given(whole.slice(0, end))
      const session = await sessions.open(KEY)
      const before = idsOf(session.getEntries())
      const id = session.appendMessage(userMessage("next"))
      await session.close()
      const again = await sessions.open(KEY, { access: "read" })
      // A torn line that happens to end with a brace is kept as a damaged entry, once another one follows it.
      expect(idsOf(again.getEntries().filter((entry) => !isStandIn(entry)))).toEqual([...before, id])
      expect(idsOf(again.getBranch(id))).toEqual([...before, id])
      expect(before).toEqual(end < last - 1 ? [] : end < whole.length - 1 ? ["a"] : ["a", "b"])
    }
  })
})

describe("a session whose last line has no LF", () => {
  it("is fine; the LF is added before the first append, not at opening", async () => {
    const { sessions, storage } = await given(whole.slice(0, -1))
    const session = await sessions.open(KEY)
    await session.flush()
    expect(await storedText(storage, KEY)).toBe(whole.slice(0, -1))
    expect(idsOf(session.getEntries())).toEqual(["a", "b"])
    session.appendMessage(userMessage("next"))
    await session.flush()
    session.appendMessage(userMessage("more"))
    await session.close()
    const stored = (await storedText(storage, KEY)) ?? ""
    expect(stored.startsWith(whole)).toBe(true)
    expect(stored.split("\n")).toHaveLength(6)
  })
})

describe("a session of a version that is not known", () => {
  it.each([4, 99, "3", null, {}])("%j is read, refuses every write, and is not touched", async (version) => {
    const text = sessionText({ ...testHeader(), version }, A, B)
    const { sessions, storage } = await given(text)
    const session = await sessions.open(KEY)
    const unsupported = { code: "UnsupportedVersionError", data: { key: KEY, version } }
    expect(idsOf(session.getEntries())).toEqual(["a", "b"])
    expect(kinds(session.getDiagnostics())).toEqual(["unsupported-version"])
    expect(() => session.appendMessage(userMessage("x"))).toThrow(expect.objectContaining(unsupported))
    expect(() => session.persistLeaf()).toThrow(expect.objectContaining(unsupported))
    await expect(session.createBranchedSession("a")).rejects.toMatchObject({ code: "UnsupportedVersionError" })
    await expect(sessions.forkFrom(KEY, "/other")).rejects.toMatchObject(unsupported)
    await expect(moveSession(sessions, KEY, "/other")).rejects.toMatchObject(unsupported)
    await session.close()
    expect(await storedText(storage, KEY)).toBe(text)
    expect(idsOf((await sessions.open(KEY)).getEntries())).toEqual(["a", "b"])
  })
})

describe("a session that is opened for reading", () => {
  it("takes no lease, and refuses every write", async () => {
    const { sessions, storage } = await given(whole)
    const writer = await sessions.open(KEY)
    const reader = await sessions.open(KEY, { access: "read" })
    expect(() => reader.appendMessage(userMessage("x"))).toThrow(
      expect.objectContaining({ code: "ReadOnlySessionError" }),
    )
    expect(() => reader.appendLabelChange("a", "x")).toThrow(expect.objectContaining({ code: "ReadOnlySessionError" }))
    reader.branch("a")
    expect(reader.getLeafId()).toBe("a")
    await reader.close()
    await writer.close()
    expect(await storedText(storage, KEY)).toBe(whole)
  })

  it("takes in what others append, and its leaf follows, unless it was moved", async () => {
    const { sessions } = await given(whole)
    const writer = await sessions.open(KEY)
    const follower = await sessions.open(KEY, { access: "read" })
    const still = await sessions.open(KEY, { access: "read" })
    still.branch("a")
    const id = writer.appendMessage(userMessage("next"))
    await writer.close()
    expect(idsOf(await follower.refresh())).toEqual([id])
    expect(idsOf(await still.refresh())).toEqual([id])
    expect([follower.getLeafId(), still.getLeafId()]).toEqual([id, "a"])
    expect(await follower.refresh()).toEqual([])
  })

  it("yields what others append, until its signal aborts", async () => {
    const { sessions } = await given(whole)
    const writer = await sessions.open(KEY)
    const reader = await sessions.open(KEY, { access: "read" })
    const stop = new AbortController()
    const id = writer.appendMessage(userMessage("next"))
    const watching = reader.watch(stop.signal)
    const first = watching.next()
    await writer.flush()
    expect(await first).toMatchObject({ value: { id } })
    stop.abort()
    expect(await watching.next()).toMatchObject({ done: true })
  })

  it("reads a line that was torn while it was written as soon as it is whole", async () => {
    const line = JSON.stringify(userEntry("c", "b"))
    const { sessions, storage } = await given(whole, line.slice(0, 30))
    const reader = await sessions.open(KEY, { access: "read" })
    const lease = await storage.lease(KEY, { access: "exclusive", waitMs: 0 })
    const stat = await storage.stat(KEY)
    if (!stat) throw new Error("nothing stored")
    await lease.append(new TextEncoder().encode(`${line.slice(30)}\n`), stat)
    expect(idsOf(await reader.refresh())).toEqual(["c"])
  })
})
