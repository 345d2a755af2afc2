import { relocateSession } from "@treelog/session-core/maintenance"
import { bytesOf, messageEntry, sessionText, testHeader, userEntry, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager } from "../session/given-manager.js"
import { putStored, storedText } from "../session/stored-bytes.js"

const KEY = "memory:/project/test-session"
const HEADER =
  '{ "type" : "session","version":3, "id":"test-session",\t"n":1.0, "cwd": "/a", "timestamp":"2026-03-07T14:00:00.000Z","cwd" :"/project" , "x":12345678901234567890}'
const BODY = `${sessionText(userEntry("a", null))}{broken\r\n\n{"type":"message","id":"b","cwd":"/project"`

async function given(...pieces: Parameters<typeof bytesOf>) {
  const made = givenManager()
  await putStored(made.storage, KEY, ...pieces)
  return made
}

describe("relocate", () => {
  it("changes the value of the header's cwd, and no other byte.", async () => {
    const { sessions, storage } = await given(`${HEADER}\r\n${BODY}`)
    const key = await relocateSession(sessions, KEY, '/other "one"\u2028')
    expect(key).toBe('memory:/other "one"\u2028/test-session')
    const header = HEADER.replace('"/project"', JSON.stringify('/other "one"\u2028'))
    expect(await storedText(storage, key)).toBe(`${header}\r\n${BODY}`)
    expect(await storage.stat(KEY)).toBeUndefined()
  })

  it("keeps omp's title line and a BOM, and migrates nothing.", async () => {
    const slot = `${JSON.stringify({ type: "title", title: "Slot" }).padEnd(255)}\n`
    const old = { type: "message", timestamp: "2026-03-07T14:00:00.000Z", message: userMessage("Hi") }
    const { sessions, storage } = await given(0xef, 0xbb, 0xbf, slot, sessionText(testHeader({ version: 1 }), old))
    const key = await relocateSession(sessions, "test-session", "/other")
    const stat = await storage.stat(key)
    const bytes = await storage.readRange(key, 0, stat?.size ?? 0)
    const expected = bytesOf(0xef, 0xbb, 0xbf, slot, sessionText(testHeader({ version: 1, cwd: "/other" }), old))
    expect(bytes).toEqual(expected)
  })

  it("goes to the key that is given, and may stay where it is.", async () => {
    const { sessions, storage } = await given(sessionText(testHeader(), userEntry("a", null)))
    expect(await relocateSession(sessions, KEY, "/other", { to: KEY })).toBe(KEY)
    expect(await storedText(storage, KEY)).toBe(sessionText(testHeader({ cwd: "/other" }), userEntry("a", null)))
    expect(await relocateSession(sessions, KEY, "/other", { to: "memory:/x/y" })).toBe("memory:/x/y")
  })

  it("takes no session from who writes it, overwrites none, and writes no newer version.", async () => {
    const { sessions, storage } = await given(sessionText(testHeader(), userEntry("a", null)))
    const writer = await sessions.open(KEY)
    await expect(relocateSession(sessions, KEY, "/other")).rejects.toMatchObject({ code: "SessionBusyError" })
    await writer.close()
    const there = "memory:/other/test-session"
    await putStored(storage, there, sessionText(testHeader({ cwd: "/other" })))
    await expect(relocateSession(sessions, KEY, "/other")).rejects.toMatchObject({ code: "SessionExistsError" })
    await putStored(storage, "memory:/project/new", sessionText(testHeader({ id: "new", version: 9 })))
    await expect(relocateSession(sessions, "memory:/project/new", "/other")).rejects.toMatchObject({
      code: "UnsupportedVersionError",
    })
    await expect(relocateSession(sessions, "memory:/project/none", "/other")).rejects.toMatchObject({
      code: "SessionNotFoundError",
    })
    expect(await storedText(storage, KEY)).toContain('"cwd":"/project"')
  })

  it("reads no more of a long session than it copies, and can be done again when it was cut short.", async () => {
    const long = sessionText(testHeader(), messageEntry("a", null, userMessage("x".repeat(3_000_000))))
    const { sessions, storage } = await given(long)
    const lease = await storage.lease(KEY, { access: "exclusive", waitMs: 0 })
    await lease.move("memory:/other/test-session")
    await lease.release()
    const key = await relocateSession(sessions, "memory:/other/test-session", "/other")
    expect(await storedText(storage, key)).toBe(long.replace('"/project"', '"/other"'))
  })
})
