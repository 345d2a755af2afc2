import { existsSync, utimesSync } from "node:fs"
import { expect, it } from "vitest"
import { storeIn, tempDir } from "./store.js"

const SHARED = { access: "shared", waitMs: 0 } as const

async function keptLease() {
  const storage = await storeIn(await tempDir())
  const key = storage.keyFor({ cwd: "/project", id: "a", timestamp: "2026-01-01T00:00:00.000Z" })
  const lease = storage.leaseSync(key, SHARED)
  expect(lease.keepUntilWanted?.(() => lease.releaseSync())).toBe(true)
  return { storage, key, lease, stat: lease.createSync([Buffer.from("one\n")]) }
}

it("gives the session to another process that waits, also in a loop that never returns to the event loop", async () => {
  const { key, lease, stat } = await keptLease()
  let last = lease.appendSync(Buffer.from("two\n"), stat)
  expect(existsSync(`${key}.lock`)).toBe(true)
  // As one does that waits.
  utimesSync(`${key}.lock`, 0, 0)
  while (existsSync(`${key}.lock`)) last = lease.appendSync(Buffer.from("more\n"), last)
  expect(() => lease.appendSync(Buffer.from("more\n"), last)).toThrow("the lease was released")
})

it("is given to another one in the process at once, and asked for when nothing was appended for a moment", async () => {
  const { storage, key } = await keptLease()
  const other = storage.leaseSync(key, SHARED)
  expect(other.keepUntilWanted?.(() => other.releaseSync())).toBe(true)
  expect(existsSync(`${key}.lock`)).toBe(true)
  await expect.poll(() => existsSync(`${key}.lock`)).toBe(false)
})
