import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { storageError } from "@treelog-internal/fs"
import { describe, expect, it, vi } from "vitest"
import { terminalIdOf } from "./door.js"
import { makePipe, storeIn, tempDir } from "./store.js"

describe("a terminal", () => {
  it("is named by its device", () => {
    expect(terminalIdOf({ ttyPath: "/dev/pts/3", env: { KITTY_WINDOW_ID: "7" } })).toBe("pts-3")
    expect(terminalIdOf({ ttyPath: "/dev/ttys004", env: {} })).toBe("ttys004")
  })

  it("is named by its window where the device is not known", () => {
    const env = { KITTY_WINDOW_ID: "7", TMUX_PANE: "%3", TERM_SESSION_ID: "w0t0p0:A-B", WT_SESSION: "{x}" }
    expect(terminalIdOf({ env })).toBe("kitty-7")
    expect(terminalIdOf({ env: { ...env, KITTY_WINDOW_ID: undefined } })).toBe("tmux-3")
    expect(terminalIdOf({ env: { ...env, KITTY_WINDOW_ID: "", TMUX_PANE: "" } })).toBe("apple-w0t0p0A-B")
    expect(terminalIdOf({ env: { WT_SESSION: "{x}" } })).toBe("wt-x")
    expect(terminalIdOf({ env: {} })).toBeUndefined()
  })

  it("has no name that leads elsewhere", () => {
    expect(terminalIdOf({ env: { KITTY_WINDOW_ID: "../../x" } })).toBe("kitty-....x")
    expect(terminalIdOf({ ttyPath: "/dev/..", env: {} })).toBeUndefined()
  })
})

describe("a breadcrumb", () => {
  it("is two lines", async () => {
    const agentDir = await tempDir()
    const { breadcrumbs } = await storeIn(agentDir, { terminalId: "pts-1" })
    await breadcrumbs.write("/a", "/s/b.jsonl")
    expect(await readFile(join(agentDir, "terminal-sessions", "pts-1"), "utf8")).toBe("/a\n/s/b.jsonl\n")
    expect(await readdir(join(agentDir, "terminal-sessions"))).toEqual(["pts-1"])
  })

  it("that leads out of the one folder of a storage is none there", async () => {
    const agentDir = await tempDir()
    const sessionDir = join(agentDir, "flat")
    const { breadcrumbs } = await storeIn(agentDir, { terminalId: "pts-1", sessionDir })
    await breadcrumbs.write("/a", "/elsewhere/b.jsonl")
    expect(await breadcrumbs.read()).toBeUndefined()
    await breadcrumbs.write("/a", join(sessionDir, "b.jsonl"))
    expect(await breadcrumbs.read()).toEqual({ cwd: "/a", key: join(sessionDir, "b.jsonl") })
  })

  it("is not read from what is none", async () => {
    const agentDir = await tempDir()
    await mkdir(join(agentDir, "terminal-sessions"))
    const { breadcrumbs } = await storeIn(agentDir)
    for (const text of ["", "\n", "/a", "/a\n", "\n/b"]) {
      await writeFile(join(agentDir, "terminal-sessions", "test"), text)
      expect(await breadcrumbs.read()).toBeUndefined()
    }
  })

  it.each(["a pipe", "a device", "a folder"])("that is %s is reported, and not waited for", async (kind) => {
    const agentDir = await tempDir()
    const path = join(agentDir, "terminal-sessions", "test")
    await mkdir(join(agentDir, "terminal-sessions"))
    if (kind === "a pipe") makePipe(path)
    else if (kind === "a folder") await mkdir(path)
    else await symlink("/dev/zero", path)
    const { breadcrumbs } = await storeIn(agentDir)
    await expect(breadcrumbs.read()).rejects.toMatchObject({ code: "StorageError", data: { key: path } })
  })

  describe("that cannot be read or written", () => {
    const isRoot = process.getuid?.() === 0
    const CWD = "/home/user/project"

    async function given() {
      const agentDir = await tempDir()
      const storage = await storeIn(agentDir)
      const manager = new SessionManager({ storage })
      const session = await manager.create(CWD, { persist: "create" })
      await session.close()
      return {
        storage,
        manager,
        session: session.getSessionFile() ?? "",
        crumb: join(agentDir, "terminal-sessions", "test"),
      }
    }

    it.skipIf(isRoot)("for want of permission is reported, not taken for none (not for root, who may)", async () => {
      const { manager, crumb } = await given()
      await chmod(crumb, 0)
      const refused = { code: "StorageError", data: { key: crumb, errno: "EACCES" } }
      await expect(manager.continueRecent(CWD)).rejects.toMatchObject(refused)
    })

    it.skipIf(isRoot)("leads to a session that may not be read: that is reported (not for root, who may)", async () => {
      const { manager, session } = await given()
      await chmod(session, 0)
      const refused = { code: "StorageError", data: { errno: "EACCES" } }
      await expect(manager.continueRecent(CWD)).rejects.toMatchObject(refused)
    })

    it.each(["EACCES", "EIO"])("by %s leaves no session behind that is held and nobody has", async (errno) => {
      const { storage, manager, session } = await given()
      const refusal = storageError("crumb", "write", errno)
      vi.spyOn(storage.breadcrumbs, "write").mockRejectedValue(refusal)
      await expect(manager.open(session)).rejects.toBe(refusal)
      expect(await storage.holderOf(session)).toBeUndefined()
    })

    it.each(["EACCES", "EIO"])("or a session of it that cannot be read by %s is reported", async (errno) => {
      const { storage, manager } = await given()
      const refusal = storageError("session", "stat", errno)
      vi.spyOn(storage, "stat").mockRejectedValue(refusal)
      await expect(manager.continueRecent(CWD)).rejects.toBe(refusal)
      vi.spyOn(storage.breadcrumbs, "read").mockRejectedValue(refusal)
      await expect(manager.continueRecent(CWD)).rejects.toBe(refusal)
    })
  })

  it("is neither written nor read without a terminal", async () => {
    const agentDir = await tempDir()
    const { breadcrumbs } = await storeIn(agentDir, { terminalId: ".." })
    await breadcrumbs.write("/a", "/b")
    expect(await breadcrumbs.read()).toBeUndefined()
    expect(await readdir(agentDir)).toEqual([])
  })
})
