import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { isTreelogError, type SessionStorage } from "@treelog/session-core"
import { killProcess, nextMessage, otherProcesses } from "@treelog-internal/test-kit/processes"
import { expect, test } from "vitest"
import { CachedSessionStorage, FileSessionStorage } from "../../src/index.js"
import { AT_ONCE, newKey, tempDir } from "../store.js"
import { KB, readThrough, sample, sum } from "./bytes.js"

/** Reads a session that another process may replace between two calls: then it is read again, as the port has it. */
async function readBeside(storage: SessionStorage, key: string): Promise<void> {
  for (;;) {
    const [read] = await Promise.allSettled([readThrough(storage, key)])
    if (read.status === "fulfilled") return
    if (!isTreelogError(read.reason, "SessionChangedError")) throw read.reason
  }
}

const users = otherProcesses(fileURLToPath(new URL("../child/mirror-user.ts", import.meta.url)))

test("ten kills in the middle of mirroring, beside a process that uses the same folder, change no byte", async () => {
  const [agentDir, folder] = [await tempDir(), await tempDir()]
  const remote = new FileSessionStorage({ agentDir, terminalId: "test" })
  const key = newKey(remote)
  const lease = await remote.lease(key, AT_ONCE)
  await lease.create([sample(20_000 * KB, 9)])
  await lease.release()
  const errors: unknown[] = []
  const own = new CachedSessionStorage(remote, { folder, onCacheError: (error) => errors.push(error) })
  for (let kill = 0; kill < 10; kill++) {
    const child = users.start(agentDir, folder, key)
    await nextMessage(child)
    await readBeside(own, key)
    await sleep(kill * 13)
    await killProcess(child)
    const stat = await remote.stat(key)
    const stored = sum(await remote.readRange(key, 0, stat?.size ?? 0))
    for (const storage of [own, new CachedSessionStorage(remote, { folder })]) {
      expect(sum(await readThrough(storage, key))).toBe(stored)
      await storage.settled()
    }
  }
  expect(errors).toEqual([])
  // What the kills left is removed when space is needed, an hour later; and there is one mirror.
  const [mirror = "", ...others] = readdirSync(folder)
  expect(others).toEqual([])
  const sizes = readdirSync(join(folder, mirror)).flatMap(
    (name) => /-(\d+)-(\d+)-\w+\.part$/.exec(name)?.slice(1) ?? [],
  )
  expect(Math.max(...sizes.map(Number))).toBe((await remote.stat(key))?.size)
})
