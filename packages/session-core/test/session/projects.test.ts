import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { importSession, moveSession } from "@treelog/session-core/maintenance"
import { testIds, userMessage } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"

/** The managers of two machines that keep one project in different folders. */
function givenMachines() {
  const storage = new MemorySessionStorage()
  let now = Date.UTC(2026, 2, 7)
  const clock = {
    now: () => {
      now += 1000
      return now
    },
  }
  const machine = (home: string, start: number) => {
    const projectOf = (cwd: string) => (cwd.startsWith(`${home}/`) ? cwd.slice(home.length + 1) : undefined)
    return new SessionManager({ storage, clock, ids: testIds(start), projectOf })
  }
  return { storage, linux: machine("/home/me", 0), mac: machine("/Users/me", 1000) }
}

async function stored(manager: SessionManager, cwd: string, name?: string): Promise<string> {
  const session = await manager.create(cwd)
  session.appendMessage({ ...userMessage("hello"), timestamp: Date.parse(session.getHeader().timestamp) })
  if (name !== undefined) session.appendSessionInfo(name)
  await session.close()
  return session.getSessionId()
}

async function listed(manager: SessionManager, cwd: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of manager.list(cwd)) ids.push(id)
  return ids.sort()
}

it("a list of a folder has the sessions of its project on all machines, and no other", async () => {
  const { linux, mac } = givenMachines()
  const ofLinux = await stored(linux, "/home/me/shop")
  const ofMac = await stored(mac, "/Users/me/shop")
  await stored(mac, "/Users/me/blog")
  expect(await listed(linux, "/home/me/shop")).toEqual([ofLinux, ofMac].sort())
  expect(await listed(mac, "/Users/me/shop")).toEqual([ofLinux, ofMac].sort())
})

it("a folder of no project lists its own sessions", async () => {
  const { linux } = givenMachines()
  await stored(linux, "/home/me/shop")
  const own = await stored(linux, "/tmp/try")
  expect(await listed(linux, "/tmp/try")).toEqual([own])
})

it("@last, names and continueRecent find those of the other machine", async () => {
  const { linux, mac, storage } = givenMachines()
  await stored(linux, "/home/me/shop")
  const ofMac = await stored(mac, "/Users/me/shop", "checkout")
  await storage.breadcrumbs.write("/elsewhere", "memory:none")
  const cwd = "/home/me/shop"
  expect(await linux.resolve("@last", { cwd })).toContain(ofMac)
  expect(await linux.resolve("checkout", { cwd })).toContain(ofMac)
  expect((await linux.recent(cwd, 1)).map(({ id }) => id)).toEqual([ofMac])
  const session = await linux.continueRecent(cwd)
  expect(session.getSessionId()).toBe(ofMac)
  await session.close()
})

it("a fork, an import and a move go to the project of the folder", async () => {
  const { linux, mac, storage } = givenMachines()
  const source = await stored(linux, "/tmp/try")
  const fork = await linux.forkFrom(source, "/home/me/shop", { persist: "create" })
  await fork.close()
  const key = await linux.resolve({ id: source })
  const moved = await moveSession(linux, { id: source }, "/home/me/shop")
  expect(storage.folderOf(key)).not.toBe(storage.folderOf(moved))
  const elsewhere = new MemorySessionStorage()
  const other = new SessionManager({ storage: elsewhere, ids: testIds(2000) })
  const foreign = await stored(other, "/home/me/shop")
  const from = await other.resolve({ id: foreign })
  const { id: imported } = await importSession(linux, from, { storage: elsewhere })
  expect(await listed(mac, "/Users/me/shop")).toEqual([fork.getSessionId(), source, imported].sort())
})
