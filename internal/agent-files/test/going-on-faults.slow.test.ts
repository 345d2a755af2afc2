import { appendFile, writeFile } from "node:fs/promises"
import { nodeFs } from "@treelog-internal/fs"
import { expect, it } from "vitest"
import { forEachFault } from "../../test-kit/src/fault-fs/index.js"
import { lineStorage, readAll, wholeOf } from "./line-source.js"

it("loses nothing of a session that goes on when it is killed, or the disk is full or fails, at any call that writes its files", async () => {
  const faults = await forEachFault(
    ["ENOSPC", "EIO", "short", "short-ENOSPC", "crash", "torn-crash"],
    async ({ inject }) => {
      const made = await lineStorage()
      const key = made.path("a")
      await writeFile(key, "/home/ada/shop\nhello\n---\n")
      const before = await readAll(made.storage, key)
      const faulty = inject(nodeFs)
      const { storage } = made.open({ fs: faulty.fs })
      faulty.arm()
      for (const more of ["more\n", "---\nb\n", `${"x".repeat(500)}\n`]) {
        await appendFile(key, more)
        await readAll(storage, key).catch((error: unknown) => {
          if (!faulty.hit) throw error
        })
      }
      faulty.disarm()
      const whole = await wholeOf(made, key)
      const { identity, ...now } = await readAll(made.open().storage, key)
      expect(now).toEqual(whole)
      expect(identity).toBe(before.identity)
      if (!faulty.isCrashed) {
        const { identity: held, ...same } = await readAll(storage, key)
        expect(same).toEqual(whole)
        expect(held).toBe(before.identity)
      }
      await made.remove()
    },
    { mutating: true },
  )
  expect(faults).toBeGreaterThan(20)
})
