import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { blobRef } from "@treelog/session-core/adapter"
import { importSession } from "@treelog/session-core/maintenance"
import { sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { givenManager, idsOf } from "../session/given-manager.js"
import { putStored, storedText } from "../session/stored-bytes.js"

/** A key that contains no id of a session there. */
const SOURCE = "memory:/elsewhere/file"
const image = (data: string) => ({ type: "image", mimeType: "image/png", data })
const withImage = (id: string, data: string) => ({
  ...userEntry(id, null),
  message: { role: "user", content: [image(data)] },
})

describe("import", () => {
  it("takes a session as it stands, and leaves the source alone", async () => {
    const { sessions, storage } = givenManager()
    const text = sessionText(
      testHeader({ id: "talk", parentSession: "p", odd: 1 }),
      userEntry("b", "a"),
      userEntry("a", null),
    )
    await putStored(storage, SOURCE, text)
    const { to: path, id, formerId } = await importSession(sessions, SOURCE)
    expect({ id, formerId, path }).toEqual({ id: "talk", formerId: undefined, path: "memory:/project/talk" })
    expect(await storedText(storage, path)).toBe(text)
    expect(await storedText(storage, SOURCE)).toBe(text)
    const session = await sessions.open(path, { access: "read" })
    expect([idsOf(session.getEntries()), session.getLeafId()]).toEqual([["b", "a"], "a"])
  })

  it("takes a session of another storage, and writes nothing there", async () => {
    const { sessions, storage } = givenManager()
    const source = new MemorySessionStorage()
    const text = sessionText(testHeader({ id: "talk" }), userEntry("a", null))
    await putStored(source, SOURCE, text)
    const { to: path } = await importSession(sessions, SOURCE, { storage: source })
    expect([await storedText(storage, path), await storedText(source, SOURCE)]).toEqual([text, text])
    expect(await source.stat(path)).toBeUndefined()
    await expect(importSession(sessions, SOURCE)).rejects.toMatchObject({ code: "SessionNotFoundError" })
  })

  it("gives an id that is always the same to another session whose id is taken, and to one whose id can be no name", async () => {
    const { sessions, storage } = givenManager()
    const others = [
      testHeader({ id: "talk" }),
      testHeader({ id: "talk", timestamp: "2020-01-01T00:00:00.000Z" }),
      testHeader({ id: "../up" }),
      testHeader({ id: "-" }),
    ]
    for (const status of ["created", "unchanged"])
      for (const [index, header] of others.entries()) {
        const source = new MemorySessionStorage()
        await putStored(source, SOURCE, sessionText(header, userEntry("a", null)))
        const report = await importSession(sessions, SOURCE, { storage: source })
        expect(report).toMatchObject({ status, ...(index > 0 && { formerId: header.id }) })
        expect((await sessions.open(report.to, { access: "read" })).getSessionId()).toBe(report.id)
      }
    const paths: string[] = []
    for await (const { path } of sessions.list("/project")) paths.push(path)
    expect(paths).toHaveLength(4)
    expect(await storage.stat("memory:/project/talk")).toBeDefined()
  })

  it("brings an old version up to date, with the ids that the session itself would get", async () => {
    const { sessions, storage } = givenManager()
    await putStored(
      storage,
      SOURCE,
      sessionText(
        { ...testHeader({ id: "old" }), version: 1 },
        { type: "message", message: { role: "user", content: "Hi" } },
      ),
    )
    const read = await sessions.open(SOURCE, { access: "read" })
    const { to: path } = await importSession(sessions, SOURCE)
    const imported = await sessions.open(path, { access: "read" })
    expect(imported.getHeader().version).toBe(3)
    expect(imported.getEntries()).toEqual(read.getEntries())
  })

  it("puts inline images into the blob store, and copies the blobs that the session names", async () => {
    const [storage, blobs, theirs] = [new MemorySessionStorage(), new MemoryBlobStore(), new MemoryBlobStore()]
    const hash = await theirs.put(new TextEncoder().encode("picture"))
    const gone = "0".repeat(64)
    const lines = [
      withImage("in", btoa("x".repeat(1500))),
      withImage("out", blobRef(hash)),
      withImage("gone", blobRef(gone)),
    ]
    await putStored(storage, SOURCE, sessionText(testHeader(), ...lines))
    const {
      to: path,
      copiedBlobs: copied,
      missingBlobs: missing,
    } = await importSession(new SessionManager({ storage, blobs }), SOURCE, {
      blobs: theirs,
    })
    expect({ copied, missing }).toEqual({ copied: [hash], missing: [gone] })
    expect(await blobs.get(hash)).toEqual(new TextEncoder().encode("picture"))
    expect(await storedText(storage, path)).not.toContain(btoa("x".repeat(1500)))
  })

  it.each([
    ["nothing", undefined, "SessionNotFoundError"],
    ["no bytes", "", "InvalidSessionError"],
    ["no session", "hello\n", "InvalidSessionError"],
    ["a newer version", sessionText(testHeader({ version: 9 })), "UnsupportedVersionError"],
  ])("refuses %s", async (_, text, code) => {
    const { sessions, storage } = givenManager()
    if (text !== undefined) await putStored(storage, SOURCE, text)
    await expect(importSession(sessions, SOURCE)).rejects.toMatchObject({ code })
  })

  it("puts the session into the folder that is asked for, and invents neither a folder nor a time where it says none", async () => {
    const { sessions, storage } = givenManager()
    const { cwd: _, timestamp: __, ...header } = testHeader({ id: "none" })
    const untimed = { type: "message", id: "a", parentId: null, message: { role: "user", content: "Hi" } }
    const texts = [
      sessionText(header, untimed),
      sessionText({ ...header, id: "empty", cwd: "", timestamp: "" }, untimed),
    ]
    for (const [at, text] of texts.entries()) {
      await putStored(storage, `${SOURCE}${at}`, text)
      const { to } = await importSession(sessions, `${SOURCE}${at}`)
      expect(await storedText(storage, to)).toBe(text)
    }
    await putStored(storage, SOURCE, sessionText({ ...header, id: "asked" }, untimed))
    const asked = await importSession(sessions, SOURCE, { cwd: "/asked" })
    const [line = ""] = ((await storedText(storage, asked.to)) ?? "").split("\n")
    expect(JSON.parse(line)).toEqual({ ...header, id: "asked", cwd: "/asked" })
  })
})
