import { readFile, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { SessionManager, type SessionStorage } from "@treelog/session-core"
import { importSession, moveSession, repairSession } from "@treelog/session-core/maintenance"
import { sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { namesIn, storeIn, tempDir } from "./store.js"

const CWD = "/home/user/project"
const NUL = "/home/user/pro\0ject"

async function given(header: Parameters<typeof testHeader>[0] = {}) {
  const agentDir = await tempDir()
  const storage = await storeIn(agentDir)
  const file = join(await tempDir(), "elsewhere.jsonl")
  await writeFile(file, sessionText(testHeader({ cwd: CWD, ...header }), userEntry("a", null, "Hi")))
  return { agentDir, storage, manager: new SessionManager({ storage, anyFile: true }), file }
}

describe("a session whose id is too long for a name", () => {
  it.each([129, 249, 400, 100_000])("(%i characters) gets a new id when it is imported", async (length) => {
    const id = "x".repeat(length)
    const { manager, file } = await given({ id })
    const report = await importSession(manager, file)
    expect(report).toMatchObject({ formerId: id })
    expect(report.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await readFile(report.to, "utf8")).toContain(`"id":"${report.id}"`)
    expect(await namesIn(dirname(report.to))).toEqual([basename(report.to)])
  })

  it("keeps the longest one that fits, with whatever is kept beside it", async () => {
    const id = "x".repeat(128)
    const { storage, manager, file } = await given({ id, version: 2 })
    const { to: path, formerId } = await importSession(manager, file)
    expect(formerId).toBeUndefined()
    await repairSession(manager, path)
    const moved = await moveSession(manager, path, "/elsewhere")
    await storage.trash.restore(await storage.trash.put(moved, { now: 0 }))
    expect((await manager.open(moved, { access: "read" })).getSessionId()).toBe(id)
  })

  it("is refused where somebody chooses it", async () => {
    const { manager } = await given()
    const refused = { code: "InvalidArgumentError", data: { argument: "id" } }
    await expect(manager.create(CWD, { id: "x".repeat(129) })).rejects.toMatchObject(refused)
  })

  it("gets the time of the import where its own is too long for a name", async () => {
    const timestamp = `2026-03-07T${"1".repeat(300)}Z`
    const { manager, file } = await given({ timestamp })
    expect(await readFile((await importSession(manager, file)).to, "utf8")).toContain(timestamp)
  })
})

describe("a NUL in the path of a folder", () => {
  const refused = { code: "InvalidArgumentError", data: { argument: "cwd", value: NUL } }
  const all = async (list: AsyncIterable<unknown>) => {
    for await (const _ of list);
  }

  it.each<[string, (manager: SessionManager, file: string, storage: SessionStorage) => Promise<unknown>]>([
    ["create", (manager) => manager.create(NUL)],
    ["import", (manager, file) => importSession(manager, file, { cwd: NUL })],
    ["fork", (manager, file) => manager.forkFrom(file, NUL)],
    ["move", (manager, file) => moveSession(manager, file, NUL)],
    ["list", (manager) => all(manager.list(NUL))],
    ["list of names", (_, __, storage) => all(storage.list({ cwd: NUL }))],
    ["recent", (manager) => manager.recent(NUL, 1)],
    ["continueRecent", (manager) => manager.continueRecent(NUL)],
    ["resolve", (manager) => manager.resolve("@last", { cwd: NUL })],
  ])("is refused by %s", async (_, action) => {
    const { manager, file, storage, agentDir } = await given()
    const before = await readFile(file, "utf8")
    await expect(action(manager, file, storage)).rejects.toMatchObject(refused)
    expect(await readFile(file, "utf8")).toBe(before)
    expect(await namesIn(agentDir)).toEqual([])
  })

  it("in the header of an imported session is refused, and another folder can be given", async () => {
    const { manager, file } = await given({ cwd: NUL })
    await expect(importSession(manager, file)).rejects.toMatchObject(refused)
    expect((await importSession(manager, file, { cwd: CWD })).to).toContain("--home-user-project--")
  })

  it("is refused in the path of a file too", async () => {
    const { manager } = await given()
    const refusal = { code: "InvalidArgumentError", data: { argument: "path" } }
    await expect(importSession(manager, "/a\0b.jsonl")).rejects.toMatchObject(refusal)
  })
})
