import { existsSync, renameSync } from "node:fs"
import { SessionManager } from "@treelog/session-core"
import { userMessage } from "@treelog-internal/test-kit"
import { expect, test, vi } from "vitest"
import { storeIn } from "./store.js"

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
