import { createPiSessions } from "@treelog/pi"
import { MemorySessionStorage } from "@treelog/session-core"
import { describe, expect, it } from "vitest"

describe("createPiSessions", () => {
  it("makes, opens, forks and continues pi's session managers on a storage", async () => {
    const storage = new MemorySessionStorage()
    const sessions = createPiSessions({ storage })
    const manager = await sessions.create("/project", { id: "one" })
    const id = manager.appendMessage({ role: "user", content: "Which way?", timestamp: 1 })
    expect(manager.getEntries()).toHaveLength(1)
    await manager.flush()
    expect((await storage.stat(manager.getSessionFile() ?? ""))?.size).toBeGreaterThan(0)
    await manager.close()
    const again = await sessions.open({ id: "one" })
    expect(again.getLeafId()).toBe(id)
    expect(() => again.setSessionFile("memory:/project/two")).toThrow("opened with a promise")
    const branch = again.createBranchedSession(id)
    await again.flush()
    expect((await storage.stat(branch ?? ""))?.size).toBeGreaterThan(0)
    await again.close()
    const fork = await sessions.forkFrom({ id: "one" }, "/elsewhere")
    expect([fork.getCwd(), fork.getEntries().length]).toEqual(["/elsewhere", 1])
    await fork.close()
    expect((await sessions.continueRecent("/elsewhere")).getSessionId()).toBe(fork.getSessionId())
  })
})
