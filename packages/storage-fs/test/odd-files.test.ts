import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { isTreelogError, SessionManager, type TreelogErrorCode } from "@treelog/session-core"
import {
  importSession,
  migrateSession,
  moveSession,
  repairSession,
  verifySession,
} from "@treelog/session-core/maintenance"
import { beforeEach, describe, expect, it } from "vitest"
import { makePipe, newKey, storeIn } from "./store.js"

const CWD = "/home/user/project"
const HEADER = { type: "session", version: 3, id: "odd", timestamp: "2026-03-07T14:00:00.000Z", cwd: CWD }
const USER = {
  type: "message",
  id: "a",
  parentId: null,
  timestamp: "2026-03-07T14:00:01.000Z",
  message: { role: "user", content: "Hi", timestamp: 1 },
}
const text = (...records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("")

let manager: SessionManager
let path: string
beforeEach(async () => {
  const storage = await storeIn()
  manager = new SessionManager({ storage })
  path = newKey(storage, CWD)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(join(dirname(path), "2026-03-07T13-00-00-000Z_sound.jsonl"), text({ ...HEADER, id: "sound" }, USER))
})

async function codeOf(action: Promise<unknown>): Promise<TreelogErrorCode | undefined> {
  const error: unknown = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return isTreelogError(error) ? error.code : undefined
}

/** The row of the odd file; the sound one beside it must be listed too. */
async function listed() {
  const rows = []
  for await (const info of manager.list(CWD)) rows.push(info)
  expect(rows.filter(({ error }) => !error).map(({ id }) => id)).toContain("sound")
  return rows.find((row) => row.path === path)
}

async function untouched(check: () => Promise<void>): Promise<void> {
  const [before, { mtimeMs }] = [await readFile(path), await stat(path)]
  await check()
  expect(await readFile(path)).toEqual(before)
  expect((await stat(path)).mtimeMs).toBe(mtimeMs)
}

describe("a file that is no ordinary session", () => {
  it("of version 4 is listed and read, refuses every write, and does not change", async () => {
    await writeFile(path, text({ ...HEADER, version: 4 }, USER))
    await untouched(async () => {
      expect(await listed()).toMatchObject({ id: "odd", messageCount: 1 })
      const session = await manager.open(path)
      expect(session.getEntries()).toHaveLength(1)
      expect(() => session.appendMessage({ role: "user", content: "x", timestamp: 1 })).toThrow(
        expect.objectContaining({ code: "UnsupportedVersionError", data: { key: path, version: 4 } }),
      )
      expect(await codeOf(manager.forkFrom(path, CWD))).toBe("UnsupportedVersionError")
      expect(await codeOf(moveSession(manager, path, "/else"))).toBe("UnsupportedVersionError")
      expect(await codeOf(migrateSession(manager, path))).toBe("UnsupportedVersionError")
      expect(await codeOf(repairSession(manager, path))).toBe("UnsupportedVersionError")
      await session.close()
    })
  })

  it("with a foreign first line is InvalidSessionError for reading and writing, and a row with its error", async () => {
    await writeFile(path, text({ hello: "world" }, USER))
    await untouched(async () => {
      expect(await codeOf(manager.open(path, { access: "read" }))).toBe("InvalidSessionError")
      expect(await codeOf(manager.open(path))).toBe("InvalidSessionError")
      expect(await codeOf(verifySession(manager, path))).toBe("InvalidSessionError")
      expect((await listed())?.error?.code).toBe("InvalidSessionError")
    })
  })

  it("of zero bytes reads as an empty session, and gets a header when it is written", async () => {
    await writeFile(path, "")
    await untouched(async () => {
      expect((await manager.open(path, { access: "read" })).getEntries()).toEqual([])
      expect(await codeOf(verifySession(manager, path))).toBe("InvalidSessionError")
      expect((await listed())?.error?.code).toBe("InvalidSessionError")
    })
    const session = await manager.open(path, { cwd: CWD })
    await session.close()
    expect((await verifySession(manager, path)).ok).toBe(true)
  })

  it("that is a folder is InvalidSessionError", async () => {
    await mkdir(path)
    expect(await codeOf(manager.open(path, { access: "read" }))).toBe("InvalidSessionError")
    expect(await codeOf(manager.open(path))).toBe("InvalidSessionError")
    await listed()
  })

  it.each(["pipe", "device"] as const)(
    "that is a %s is InvalidSessionError at once, and a row with its error",
    async (kind) => {
      if (kind === "pipe") makePipe(path)
      else await symlink("/dev/zero", path)
      expect((await listed())?.error?.code).toBe("InvalidSessionError")
      expect(await codeOf(manager.open(path, { access: "read" }))).toBe("InvalidSessionError")
      expect(await codeOf(manager.open(path))).toBe("InvalidSessionError")
      expect(await codeOf(verifySession(manager, path))).toBe("InvalidSessionError")
      expect(await codeOf(manager.forkFrom(path, CWD))).toBe("InvalidSessionError")
      expect(await codeOf(importSession(manager, path))).toBe("InvalidSessionError")
    },
  )

  it("that is a symlink to nowhere is a row with its error, and no session appears at its end", async () => {
    await symlink(join(dirname(path), "nowhere"), path)
    expect((await listed())?.error?.code).toBe("StorageError")
    expect(await codeOf(manager.open(path, { access: "read" }))).toBe("StorageError")
    expect(await codeOf(manager.open(path))).toBe("StorageError")
    await expect(stat(join(dirname(path), "nowhere"))).rejects.toMatchObject({ code: "ENOENT" })
  })

  const canReadAnything = process.getuid?.() === 0
  it.skipIf(canReadAnything)(
    "that may not be read is StorageError by EACCES, and a row with its error (not for root, who may)",
    async () => {
      await writeFile(path, text(HEADER, USER))
      await chmod(path, 0)
      expect(await codeOf(manager.open(path, { access: "read" }))).toBe("StorageError")
      expect((await listed())?.error?.code).toBe("StorageError")
    },
  )

  it("that is not there is SessionNotFoundError, and its folder is not made", async () => {
    const elsewhere = join(dirname(dirname(path)), "--missing--", basename(path))
    for (const access of ["read", "exclusive", "shared"] as const)
      expect(await codeOf(manager.open(elsewhere, { access, cwd: CWD }))).toBe("SessionNotFoundError")
    await expect(stat(dirname(elsewhere))).rejects.toMatchObject({ code: "ENOENT" })
  })
})
