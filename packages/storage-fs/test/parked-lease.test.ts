import { existsSync, utimesSync } from "node:fs"
import { expect, it } from "vitest"
import { storeIn, tempDir } from "./store.js"

const SHARED = { access: "shared", waitMs: 0 } as const

it("gives the session to another process that waits, also in a loop that never returns to the event loop", async () => {
  const storage = await storeIn(await tempDir())
  const key = storage.keyFor({ cwd: "/project", id: "a", timestamp: "2026-01-01T00:00:00.000Z" })
  const lease = storage.leaseSync(key, SHARED)
  let stat = lease.createSync([Buffer.from("one\n")])
  lease.park()
  stat = lease.appendSync("two\n", stat)
  expect(existsSync(`${key}.lock`)).toBe(true)
  // As one does that waits.
  utimesSync(`${key}.lock`, 0, 0)
  while (lease.isParked()) stat = lease.appendSync("more\n", stat)
  expect(existsSync(`${key}.lock`)).toBe(false)
  expect(() => lease.appendSync("more\n", stat)).toThrow("the lease was released")
})
