import { existsSync, renameSync } from "node:fs"
import { SessionManager } from "@treelog/session-core"
import { nodeFs } from "@treelog/storage-fs"
import { userMessage } from "@treelog-internal/test-kit"
import { expect, test, vi } from "vitest"
import { stored, storeIn } from "./store.js"

test.each(["message", "synced", "append"] as const)(
  "a shared writer (%s) whose session goes to the trash before it takes the lease leaves no lock behind",
  async (persist) => {
    const storage = await storeIn()
    const sessions = new SessionManager({ storage })
    const created = await sessions.create("/project", { persist: "create" })
    await created.close()
    const key = created.getSessionFile() ?? ""
    const session = await sessions.open(key, { access: "shared", persist })
    const stat = storage.statSync.bind(storage)
    const gone = vi.spyOn(storage, "statSync").mockImplementationOnce((path) => {
      const found = stat(path)
      renameSync(key, `${key}.gone`)
      return found
    })
    const written = async (): Promise<void> => {
      session.appendMessage(userMessage("lost"))
      await session.flush()
    }
    await expect(written()).rejects.toMatchObject({ code: "PersistError", cause: { data: { change: "gone" } } })
    expect(gone).toHaveBeenCalled()
    await expect(session.close()).rejects.toMatchObject({ code: "PersistError" })
    await expect.poll(() => existsSync(`${key}.lock`)).toBe(false)
    renameSync(`${key}.gone`, key)
    const next = await sessions.open(key)
    await next.close()
    await session.discard()
  },
)

test("a session that is away for a moment is there: its name is asked for again", async () => {
  const { key, lease } = await stored(await storeIn(), "{}\n")
  await lease.release()
  for (const isAsync of [true, false]) {
    const away = `${key}.away`
    const calls = [() => renameSync(key, away), () => renameSync(away, key)]
    const fs = new Proxy(nodeFs, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver)
        if (typeof member !== "function" || !/^l?stat/.test(String(name))) return member
        return (...args: unknown[]) => {
          calls.shift()?.()
          return member.apply(target, args)
        }
      },
    })
    const storage = await storeIn(undefined, { fs })
    expect(isAsync ? await storage.stat(key) : storage.statSync(key)).toMatchObject({ size: 3 })
    expect(calls).toEqual([])
  }
})
