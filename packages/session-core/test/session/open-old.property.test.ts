import { verifySession } from "@treelog/session-core/maintenance"
import { entry, sessionText, testHeader, tries, userEntry, userMessage, v1Session } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { givenManager, idsOf, keyOf } from "./given-manager.js"
import { ObservedStorage } from "./observed-storage.js"
import { putStored, storedRecords, storedText } from "./stored-bytes.js"

const KEY = "memory:/project/old"
const HEADER = {
  type: "session",
  id: "old",
  timestamp: "2025-11-01T10:00:00.000Z",
  cwd: "/project",
  provider: "p",
  "x-own": [1],
}
const said = (content: string) => ({
  type: "message",
  timestamp: "2025-11-01T10:00:01.000Z",
  message: { role: "user", content },
})
const v1 = `${sessionText(HEADER, said("a"), said("b"))}{broken\n${sessionText({ type: "compaction", timestamp: "t", summary: "s", firstKeptEntryIndex: 2 })}`

async function given(text: string) {
  const made = givenManager(new ObservedStorage())
  await putStored(made.storage, KEY, text)
  made.storage.calls.length = 0
  return made
}

describe("a session of an older version", () => {
  it("is migrated in memory for reading, which writes nothing", async () => {
    const { sessions, storage } = await given(v1)
    const session = await sessions.open(KEY, { access: "read" })
    expect(session.getHeader()).toEqual({ ...HEADER, version: 3 })
    const [a, b, compaction] = session.getEntries()
    expect([a?.parentId, b?.parentId, compaction?.parentId]).toEqual([null, a?.id, b?.id])
    expect(compaction).toMatchObject({ firstKeptEntryId: b?.id })
    await sessions.readContext(KEY)
    await verifySession(sessions, KEY)
    for await (const info of sessions.listAll()) expect(info.messageCount).toBe(2)
    expect(storage.calls).toEqual([])
    expect(await storedText(storage, KEY)).toBe(v1)
  })

  it("is rewritten once for writing, and leaves what it was beside it", async () => {
    const { sessions, storage } = await given(v1)
    await (await sessions.open(KEY)).close()
    expect(await storedText(storage, `${KEY}.v1.bak`)).toBe(v1)
    const written = (await storedText(storage, KEY)) ?? ""
    expect(written.split("\n")[3]).toBe("{broken")
    expect(JSON.parse(written.split("\n")[0] ?? "")).toEqual({ ...HEADER, version: 3 })
    await (await sessions.open(KEY)).close()
    expect(storage.calls.filter((call) => call === "replace")).toHaveLength(1)
    expect(await storedText(storage, KEY)).toBe(written)
    expect(await storage.stat(`${KEY}.v1.bak.2`)).toBeUndefined()
  })

  it("has the same ids however often it is read, and when it is written", async () => {
    const { sessions } = await given(v1)
    const read = async () => idsOf((await sessions.open(KEY, { access: "read" })).getEntries())
    const before = await read()
    expect(await read()).toEqual(before)
    const session = await sessions.open(KEY)
    expect(idsOf(session.getEntries())).toEqual(before)
    await session.close()
    expect(await read()).toEqual(before)
  })

  it("is written on where it ended", async () => {
    const { sessions } = await given(v1)
    const session = await sessions.open(KEY)
    const leaf = session.getLeafId()
    const id = session.appendMessage(userMessage("next"))
    await session.close()
    const again = await sessions.open(KEY, { access: "read" })
    expect(again.getEntry(id)).toMatchObject({ parentId: leaf })
    expect(again.getEntries()).toHaveLength(4)
  })

  it("keeps line ends, blank lines, a BOM and a last line without LF through the rewrite", async () => {
    const text = `\ufeff${sessionText(HEADER, said("a"), "", said("b")).replaceAll("\n", "\r\n").slice(0, -2)}`
    const { sessions, storage } = await given(text)
    const session = await sessions.open(KEY)
    expect(session.getEntries()).toHaveLength(2)
    await session.close()
    const written = (await storedText(storage, KEY)) ?? ""
    const bytes = await storage.readRange(KEY, 0, 3)
    expect([...bytes]).toEqual([0xef, 0xbb, 0xbf])
    expect(written.split("\r\n")).toHaveLength(4)
    expect(await storedText(storage, `${KEY}.v1.bak`)).toBe(text.replace(/^\ufeff/, ""))
  })

  it("of version 2 has the role `hookMessage` renamed, and every other line as it was", async () => {
    const kept = '{ "type":"custom", "id":"b","parentId":"a","timestamp":"t", "n":1.0, "big":12345678901234567890 }'
    const hook = entry("message", "a", null, { message: { role: "hookMessage", content: "h" } })
    const { sessions, storage } = await given(sessionText(testHeader({ version: 2 }), hook, kept, userEntry("c", "b")))
    const session = await sessions.open(KEY)
    expect(session.getEntry("a")).toMatchObject({ message: { role: "custom" } })
    await session.close()
    const lines = (await storedText(storage, KEY))?.split("\n")
    expect(lines?.[2]).toBe(kept)
    expect(await storage.stat(`${KEY}.v2.bak`)).toBeDefined()
  })

  it("is not half written when the rewrite fails", async () => {
    const { sessions, storage } = await given(v1)
    storage.failNext("replace")
    await expect(sessions.open(KEY)).rejects.toThrow("no space left")
    expect(await storedText(storage, KEY)).toBe(v1)
    expect(storage.held).toBe(0)
    expect((await sessions.open(KEY)).getEntries()).toHaveLength(3)
  })

  it("is a valid session of version 3 after a fork, and stays itself", async () => {
    const { sessions, storage } = await given(v1)
    const fork = await sessions.forkFrom(KEY, "/other")
    await fork.close()
    expect(await storedText(storage, KEY)).toBe(v1)
    const [header, ...entries] =
      (await storedText(storage, keyOf(fork)))?.split("\n").filter((line) => line !== "{broken" && line) ?? []
    expect(JSON.parse(header ?? "")).toMatchObject({
      version: 3,
      cwd: "/other",
      parentSession: KEY,
      provider: "p",
      "x-own": [1],
    })
    expect(entries.map((line) => JSON.parse(line).id)).toEqual(idsOf(fork.getEntries()))
    expect((await verifySession(sessions, keyOf(fork))).diagnostics).toMatchObject([{ kind: "invalid-json", line: 4 }])
  })

  it("is a valid session of version 3 after a branch of what was read", async () => {
    const { sessions, storage } = await given(v1)
    const reader = await sessions.open(KEY, { access: "read" })
    const branch = await reader.createBranchedSession(reader.getEntries()[1]?.id ?? "")
    await branch.close()
    expect((await storedRecords(storage, keyOf(branch)))[0]).toMatchObject({ version: 3 })
    expect(branch.getEntries()).toEqual(reader.getEntries().slice(0, 2))
    expect(await storedText(storage, KEY)).toBe(v1)
  })

  it("of any records is, once written, sound and the same as it was read", async () => {
    await fc.assert(
      fc.asyncProperty(v1Session, async ({ header, records }) => {
        const { sessions } = await given(sessionText(header, ...records))
        const read = await sessions.open(KEY, { access: "read" })
        const session = await sessions.open(KEY)
        await session.close()
        expect(JSON.stringify(session.getEntries())).toBe(JSON.stringify(read.getEntries()))
        expect(session.getHeader()).toEqual(read.getHeader())
        const faults = new Set(session.getDiagnostics().map(({ kind }) => kind))
        faults.delete("unknown-leaf-target")
        expect([...faults]).toEqual([])
      }),
      { numRuns: tries(60) },
    )
  })
})
