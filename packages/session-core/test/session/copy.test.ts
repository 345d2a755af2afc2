import { moveSession } from "@treelog/session-core/maintenance"
import { bytesOf, entry, sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager, idsOf, keyOf } from "./given-manager.js"
import { putStored, storedRecords, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/test-session"
const ODD =
  '{ "type":"hologram", "id":"h", "parentId":"a", "timestamp":"t", "n":1.0, "big":12345678901234567890, "2":0, "1":0 }'
const body = `${sessionText(userEntry("a", null), ODD)}{broken\n\n${sessionText(entry("label", "l", "h", { targetId: "a", label: "x" }), testHeader({ id: "second" }))}`
const text = sessionText(testHeader({ "x-own": 1, parentSession: "grandparent" })) + body

async function given(...pieces: Parameters<typeof bytesOf>) {
  const made = givenManager()
  await putStored(made.storage, KEY, ...pieces)
  return made
}

describe("forkFrom", () => {
  it("copies the whole file, all branches and all bytes, under a header of its own", async () => {
    const { sessions, storage } = await given(text)
    const fork = await sessions.forkFrom(KEY, "/other")
    const stored = (await storedText(storage, keyOf(fork))) ?? ""
    const end = stored.indexOf("\n") + 1
    expect(stored.slice(end)).toBe(body)
    const header = JSON.parse(stored.slice(0, end))
    expect(header).toMatchObject({ version: 3, cwd: "/other", parentSession: KEY, "x-own": 1 })
    expect(header.id).not.toBe("test-session")
    expect([fork.getCwd(), fork.getLabel("a"), idsOf(fork.getEntries())]).toEqual(["/other", "x", ["a", "h", "l"]])
    expect(await storedText(storage, KEY)).toBe(text)
  })

  it("takes an id and a parent of the caller's choice", async () => {
    const { sessions } = await given(text)
    const fork = await sessions.forkFrom(KEY, "/other", { id: "mine", parentSession: "chosen" })
    expect(fork.getHeader()).toMatchObject({ id: "mine", parentSession: "chosen" })
    await fork.close()
    await expect(sessions.forkFrom(KEY, "/other", { id: "mine" })).rejects.toMatchObject({ code: "SessionExistsError" })
  })

  it("keeps omp's title line, a BOM and invalid bytes, and closes a torn last line", async () => {
    const slot = `${JSON.stringify({ type: "title", title: "Slot" }).padEnd(255)}\n`
    const rest = bytesOf(sessionText(userEntry("a", null)), 0xff, 0xfe, "\n{torn")
    const { sessions, storage } = await given(0xef, 0xbb, 0xbf, slot, sessionText(testHeader()), rest)
    const fork = await sessions.forkFrom(KEY, "/other")
    const stat = await storage.stat(keyOf(fork))
    const bytes = await storage.readRange(keyOf(fork), 0, stat?.size ?? 0)
    expect(bytes.subarray(0, 3 + 256)).toEqual(bytesOf(0xef, 0xbb, 0xbf, slot))
    expect(bytes.subarray(-rest.length - 1)).toEqual(bytesOf(rest, "\n"))
    expect(fork.getSessionName()).toBe("Slot")
  })

  it("works while another writes the source, and can be written itself", async () => {
    const { sessions } = await given(text)
    const writer = await sessions.open(KEY)
    const fork = await sessions.forkFrom("test-session", "/other")
    const id = fork.appendMessage(userMessage("on"))
    await fork.close()
    expect((await sessions.open(keyOf(fork))).getLeafId()).toBe(id)
    expect(writer.getEntry(id)).toBeUndefined()
  })

  it("of what is missing, empty or no session fails, and stores nothing", async () => {
    const { sessions, storage } = await given("garbage\n")
    await expect(sessions.forkFrom(KEY, "/other")).rejects.toMatchObject({ code: "InvalidSessionError" })
    await expect(sessions.forkFrom("memory:/x/y", "/other")).rejects.toMatchObject({ code: "SessionNotFoundError" })
    const keys: string[] = []
    for await (const { key } of storage.list()) keys.push(key)
    expect(keys).toEqual([KEY])
  })
})

describe("move", () => {
  it("gives the session to another folder: header and key, and no other byte", async () => {
    const { sessions, storage } = await given(text)
    const to = await moveSession(sessions, KEY, "/other")
    expect(to).toBe("memory:/other/test-session")
    const stored = (await storedText(storage, to)) ?? ""
    const end = stored.indexOf("\n") + 1
    expect(stored.slice(end)).toBe(body)
    expect(JSON.parse(stored.slice(0, end))).toEqual({
      ...testHeader({ "x-own": 1, parentSession: "grandparent" }),
      cwd: "/other",
    })
    expect(await storage.stat(KEY)).toBeUndefined()
    await (await sessions.open(to)).close()
  })

  it("keeps omp's title line", async () => {
    const slot = `${JSON.stringify({ type: "title", title: "Slot" }).padEnd(255)}\n`
    const { sessions, storage } = await given(slot, text)
    const to = await moveSession(sessions, KEY, "/other")
    expect((await storedText(storage, to))?.startsWith(slot)).toBe(true)
  })

  it("to its own folder changes nothing but what a rewrite does", async () => {
    const { sessions, storage } = await given(text)
    expect(await moveSession(sessions, KEY, "/project")).toBe(KEY)
    expect(await storedText(storage, KEY)).toBe(text)
  })

  it("never goes over another session, and leaves both as they were", async () => {
    const { sessions, storage } = await given(text)
    const other = sessionText(testHeader({ cwd: "/other" }))
    await putStored(storage, "memory:/other/test-session", other)
    await expect(moveSession(sessions, KEY, "/other")).rejects.toMatchObject({ code: "SessionExistsError" })
    expect(await storedText(storage, KEY)).toBe(text)
    expect(await storedText(storage, "memory:/other/test-session")).toBe(other)
    await (await sessions.open(KEY)).close()
  })

  it("of what is not there fails", async () => {
    const { sessions } = await given(text)
    await expect(moveSession(sessions, "memory:/x/y", "/other")).rejects.toMatchObject({ code: "SessionNotFoundError" })
  })
})

describe("delete", () => {
  it("removes the session, and fails for one that is not there", async () => {
    const { sessions, storage } = await given(text)
    await sessions.delete("test-session")
    expect(await storage.stat(KEY)).toBeUndefined()
    await expect(sessions.delete(KEY)).rejects.toMatchObject({ code: "SessionNotFoundError" })
    await expect(sessions.delete("")).rejects.toMatchObject({ code: "SessionNotFoundError" })
  })

  it("of a session that cannot be read works by its path", async () => {
    const { sessions, storage } = await given("garbage\n")
    await sessions.delete(KEY)
    expect(await storage.stat(KEY)).toBeUndefined()
  })
})

describe("newSession and setSessionFile", () => {
  it("close what was open, and give a fresh session of the same folder", async () => {
    const { sessions, storage } = await given(text)
    const first = await sessions.open(KEY)
    const id = first.appendMessage(userMessage("last"))
    const fresh = await first.newSession({ id: "fresh", parentSession: "p" })
    expect(await storedRecords(storage, "memory:/project/fresh").catch(() => [])).toEqual([])
    expect([fresh.getCwd(), fresh.getSessionId(), fresh.getHeader().parentSession, fresh.getEntries()]).toEqual([
      "/project",
      "fresh",
      "p",
      [],
    ])
    expect(() => first.appendMessage(userMessage("x"))).toThrow(expect.objectContaining({ code: "SessionClosedError" }))
    const again = await fresh.setSessionFile("test-session")
    expect(again.getLeafId()).toBe(id)
    expect(() => fresh.appendMessage(userMessage("x"))).toThrow(expect.objectContaining({ code: "SessionClosedError" }))
  })

  it("in memory stay in memory", async () => {
    const session = givenManager().sessions.inMemory("/project")
    const fresh = await session.newSession()
    expect([fresh.isPersisted(), fresh.getCwd()]).toEqual([false, "/project"])
  })
})

describe("create", () => {
  it.each(["", ".", "a/b", "../x", "-a", "a-", "a b", "ä", "a\n"])("refuses the id %j", async (id) => {
    const { sessions } = givenManager()
    await expect(sessions.create("/project", { id })).rejects.toMatchObject({
      code: "InvalidArgumentError",
      data: { argument: "id", value: id },
    })
    expect(() => sessions.inMemory("/project", { id })).toThrow(
      expect.objectContaining({ code: "InvalidArgumentError" }),
    )
  })

  it.each(["a", "A.b_c-9", "0", "019501a2-0000-7000-8000-000000000001"])("takes the id %j", async (id) => {
    const session = await givenManager().sessions.create("/project", { id })
    expect(session.getSessionId()).toBe(id)
  })

  it("refuses a chosen id that a session has already", async () => {
    const { sessions } = givenManager()
    const first = await sessions.create("/project", { id: "taken", persist: "create" })
    await first.close()
    await expect(sessions.create("/elsewhere", { id: "taken" })).rejects.toMatchObject({
      code: "SessionExistsError",
      data: { key: first.getSessionFile() },
    })
  })

  it("reports where the session will be", async () => {
    const session = await givenManager().sessions.create("/project", { id: "x" })
    expect([session.getSessionFile(), session.getSessionDir(), session.isPersisted()]).toEqual([
      "memory:/project/x",
      "memory:/project",
      true,
    ])
  })
})
