import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import type { FoundSession, StoredRanges, SummaryCache } from "@treelog/session-core/adapter"
import { messageEntry, sessionText, TEST_START, testHeader, userMessage } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { putStored } from "../session/stored-bytes.js"

const DAY = 24 * 60 * 60 * 1000

/** Sessions with a message of one day in a file of another; the read of one waits. */
class SlowStorage extends MemorySessionStorage {
  readonly found: FoundSession[] = []
  release: () => void = () => {}
  readonly #released = new Promise<void>((resolve) => {
    this.release = resolve
  })
  readonly summaries: SummaryCache = {
    scan: async function* (this: SlowStorage) {
      yield this.found
    }.bind(this),
    find: async (key) => ({ key }),
    put: () => {},
    flush: async () => {},
  }

  async add(id: string, said: number, written: number): Promise<void> {
    const message = messageEntry("m", null, userMessage(id, { timestamp: TEST_START + said * DAY }))
    const key = await putStored(this, `memory:/project/${id}`, sessionText(testHeader({ id }), message))
    const stat = await this.stat(key)
    if (stat) this.found.push({ key, id, stat: { ...stat, modified: TEST_START + written * DAY } })
  }

  override async openRanges(key: string, identity: string): Promise<StoredRanges> {
    if (key.endsWith("slow")) await this.#released
    return super.openRanges(key, identity)
  }
}

it("a streamed list gives sessions in which nobody said anything last, whatever their time, also with a limit", async () => {
  const storage = new SlowStorage()
  storage.release()
  await storage.add("old", 10, 10)
  await storage.add("older", 9, 9)
  const key = await putStored(
    storage,
    "memory:/project/empty",
    sessionText(
      testHeader({ id: "empty", timestamp: new Date(TEST_START + 20 * DAY).toISOString(), source: { agent: "codex" } }),
    ),
  )
  const stat = await storage.stat(key)
  if (stat) storage.found.push({ key, id: "empty", stat: { ...stat, modified: TEST_START + 20 * DAY } })
  for (const order of ["streamed", "newest"] as const)
    for (const limit of [1, 2, 3]) {
      const ids: string[] = []
      for await (const { id } of new SessionManager({ storage }).listAll({ order, limit })) ids.push(id)
      expect(ids).toEqual(["old", "older", "empty"].slice(0, limit))
    }
})

it("a streamed list gives what is newer than every file that is still to be read, and the rest in order", async () => {
  const storage = new SlowStorage()
  await storage.add("oldest", 10, 10)
  await storage.add("restored", 25, 5)
  await storage.add("slow", 20, 21)
  await storage.add("newest", 30, 30)
  const infos = new SessionManager({ storage }).listAll({ order: "streamed" })[Symbol.asyncIterator]()
  expect((await infos.next()).value?.id).toBe("newest")
  // Its file is older than that of the slow one, and its message newer.
  expect((await infos.next()).value?.id).toBe("restored")
  const next = infos.next()
  storage.release()
  expect([(await next).value?.id, (await infos.next()).value?.id]).toEqual(["slow", "oldest"])
  expect((await infos.next()).done).toBe(true)
})
