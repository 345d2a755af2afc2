import { mkdtemp, readdir, rm, utimes } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openAgentStorage } from "@treelog/agents/kit"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import { expect, it, onTestFinished } from "vitest"
import { opencode as agent } from "./door.js"
import { addMessage, addSession, text, USER, withOpencode } from "./opencode-database.js"

it("opens a database for a list only if it or its log has changed since another process listed it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "treelog-unchanged-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  const dir = join(folder, "opencode")
  let opened = 0
  /** As a new process lists them, when the files have been left alone. */
  const listed = async () => {
    for (const name of await readdir(dir)) await utimes(join(dir, name), 5, 5)
    opened = 0
    const openDriver = () => {
      opened++
      return loadDriver()
    }
    const options = { dir, cacheDir: join(folder, "cache"), env: {}, loadDriver: openDriver }
    const ids: string[] = []
    for await (const { id } of new SessionManager({ storage: openAgentStorage(agent, options) }).listAll()) ids.push(id)
    return { ids: ids.sort(), isOpened: opened > 0 }
  }
  const add = (id: string, at: number) => (db: Parameters<typeof addSession>[0]) => {
    addSession(db, id, at)
    addMessage(db, id, at, USER, [text("hello")])
  }
  await withOpencode(dir, add("ses_a", 1))
  expect(await listed()).toEqual({ ids: ["ses_a"], isOpened: true })
  expect(await listed()).toEqual({ ids: ["ses_a"], isOpened: false })
  const running = (await loadDriver()).open(join(dir, "opencode.db"))
  onTestFinished(() => void running.close())
  running.exec("PRAGMA wal_autocheckpoint = 0")
  add("ses_b", 2)(running)
  expect(await listed()).toEqual({ ids: ["ses_a", "ses_b"], isOpened: true })
  expect(await listed()).toEqual({ ids: ["ses_a", "ses_b"], isOpened: false })
  running.exec("DELETE FROM session WHERE id = 'ses_a'")
  expect(await listed()).toEqual({ ids: ["ses_b"], isOpened: true })
  for (const name of await readdir(dir)) await rm(join(dir, name))
  expect((await listed()).ids).toEqual([])
})
