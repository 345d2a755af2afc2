import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { MemorySessionStorage, type SessionStorage } from "@treelog/session-core"
import type { StorageSupports } from "@treelog/session-core/adapter"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, expect, it, test } from "vitest"
import { CachedSessionStorage, FileSessionStorage } from "../../src/index.js"
import { companions } from "../companions.js"

const errors: unknown[] = []
const onCacheError = (error: unknown) => void errors.push(error)

/** Mirrors in a new folder. */
async function mirrors() {
  const folder = await mkdtemp(join(tmpdir(), "treelog-cached-"))
  const made: CachedSessionStorage[] = []
  return {
    folder,
    over(remote: SessionStorage): CachedSessionStorage {
      const cached = new CachedSessionStorage(remote, { folder: join(folder, "mirror"), onCacheError })
      made.push(cached)
      return cached
    },
    async teardown() {
      await Promise.all(made.map((cached) => cached.settled()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const leaseMs = 1000

sessionStorageContract(
  { describe, it },
  {
    name: "CachedSessionStorage of sessions in memory",
    supports: asCached(new MemorySessionStorage({ leaseMs }).supports),
    losesAnswers: true,
    setup: async () => {
      const { over, teardown } = await mirrors()
      let now = Date.now()
      const clock = { now: () => now }
      const later = (ms: number) => sleep(ms, undefined, { ref: false })
      const { storage, loseNextAnswer } = losingNextAnswer(new MemorySessionStorage({ leaseMs, clock, sleep: later }))
      const lapse = async () => {
        now += leaseMs + 1
      }
      return { storage: over(storage), loseNextAnswer, lapse, teardown }
    },
  },
)

sessionStorageContract(
  { describe, it },
  {
    name: "CachedSessionStorage of sessions in files, with two storages over one mirror",
    supports: asCached(new FileSessionStorage().supports),
    losesAnswers: true,
    setup: async () => {
      const { folder, over, teardown } = await mirrors()
      const remote = () => new FileSessionStorage({ agentDir: join(folder, "agent"), terminalId: "test" })
      const { storage, loseNextAnswer } = losingNextAnswer(remote())
      return { storage: over(storage), reopen: async () => over(remote()), loseNextAnswer, companions, teardown }
    },
  },
)

test("no mirror failed", () => expect(errors).toEqual([]))

/** A mirror writes with promises alone. */
function asCached({ syncWrites: _, ...supports }: StorageSupports): StorageSupports {
  return supports
}
