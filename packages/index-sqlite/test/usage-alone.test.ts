import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemoryBlobStore, MemorySessionStorage, SessionManager, type SessionSource } from "@treelog/session-core"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { testClock, testIds } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { converted } from "./converted.js"
import { tempFolder } from "./temp-folder.js"

const USED = { input: 3, output: 4, cacheRead: 0, cacheWrite: 0, totalTokens: 7 }

/** A store with a session that used something, and how often its sessions were read, by what was asked. */
async function machine() {
  const memory = new MemorySessionStorage()
  const options = { storage: memory, blobs: new MemoryBlobStore(), clock: testClock(), ids: testIds(1) }
  const sessions = new SessionManager(options)
  const session = await sessions.create("/home/ada/shop")
  const say = async (text: string): Promise<void> => {
    session.appendMessage({ role: "user", content: text, timestamp: 1 })
    const answer = { role: "assistant", content: [{ type: "text", text }], provider: "anthropic", model: "m" }
    session.appendMessage({ ...answer, usage: USED, timestamp: 2 } as never)
    await session.flush()
  }
  await say("the flaky retry")
  const reads = { stat: 0, usage: 0 }
  const source = converted(memory)
  const counted: SessionSource = {
    ...source,
    stat: (key) => {
      reads.stat += 1
      return source.stat(key)
    },
    usage: async (key) => {
      reads.usage += 1
      return source.usage?.(key)
    },
    summaries: {
      async *scan() {
        for await (const { key } of source.list()) {
          const stat = await source.stat(key)
          if (stat) yield [{ key, modified: stat.modified, source: { ...stat, identity: `of ${stat.identity}` } }]
        }
      },
      find: async () => undefined,
      put() {},
      async flush() {},
    },
  }
  return { say, reads, source: counted, path: join(tempFolder(), "index.db") }
}

async function totalOf(index: Pick<SqliteSessionIndex, "usage">): Promise<object | undefined> {
  return (await index.usage({}))[0]?.totals
}

/** An hour later, so that a session has been left alone. */
const LATER = { now: () => Date.now() + 3_600_000 }

describe("an update of usage alone", () => {
  it("converts no session, reads what has not changed once, and has the sums that all of it has", async () => {
    const { say, reads, source, path } = await machine()
    const index = new SqliteSessionIndex({ storage: source, path, clock: LATER })
    await index.update({ only: "usage" })
    expect(await totalOf(index)).toMatchObject({ calls: 1, input: 3, output: 4 })
    expect(await index.update({ only: "usage" })).toMatchObject({ read: 0 })
    expect(reads).toEqual({ stat: 0, usage: 1 })
    await say("another prompt")
    expect(await index.update({ only: "usage" })).toMatchObject({ read: 1 })
    expect(await totalOf(index)).toMatchObject({ calls: 2, input: 6 })
    expect((await index.search({ terms: [{ text: "flaky" }] })).sessions).toEqual([])
    expect(await index.update()).toMatchObject({ read: 1 })
    expect(await totalOf(index)).toMatchObject({ calls: 2, input: 6 })
    expect((await index.search({ terms: [{ text: "flaky" }] })).sessions).toHaveLength(1)
    await index.close()
  })

  it("leaves what was indexed as a whole, and reads that on as a whole", async () => {
    const { say, reads, source, path } = await machine()
    const index = new SqliteSessionIndex({ storage: source, path, clock: LATER })
    await index.update()
    await say("another prompt")
    await index.update({ only: "usage" })
    expect(reads.usage).toBe(0)
    expect((await index.search({ terms: [{ text: "another" }] })).sessions).toHaveLength(1)
    await index.close()
  })

  it("gives way to all of a session, whichever of two processes stores first", async () => {
    const { source, path } = await machine()
    const [first, second] = [1, 2].map(() => new SqliteSessionIndex({ storage: source, path, clock: LATER }))
    await Promise.all([first?.update({ only: "usage" }), second?.update()])
    const oracle = new MemorySessionIndex(source)
    await oracle.update()
    expect((await first?.search({ terms: [{ text: "flaky" }] }))?.sessions).toHaveLength(1)
    expect(await second?.usage({ by: "session" })).toEqual(await oracle.usage({ by: "session" }))
    await Promise.all([first?.close(), second?.close()])
  })
})
