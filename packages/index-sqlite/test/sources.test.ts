import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemoryBlobStore, SessionManager } from "@treelog/session-core"
import { PART } from "@treelog/session-core/adapter"
import { MemorySessionIndex, parseQuery, type SessionIndex } from "@treelog/session-core/search"
import { FileSessionStorage } from "@treelog/storage-fs"
import { answersAsNew } from "@treelog-internal/test-kit/session-index"
import { expect, it } from "vitest"
import { tempFolder } from "./temp-folder.js"

const folder = () => tempFolder()
const storageOf = (agentDir: string) => new FileSessionStorage({ agentDir, cacheDir: null })

/** The texts that both indexes find, which must be the same. */
async function found(indexes: readonly SessionIndex[], text: string): Promise<string[]> {
  const [first, ...others] = await Promise.all(indexes.map((index) => index.search(parseQuery(text, Date.now()))))
  for (const other of others) expect(other).toEqual(first)
  return (first?.sessions ?? []).flatMap(({ hits }) => hits.map(({ snippet }) => snippet.text))
}

it("a long text that was moved to a blob is found by its end, by phrases too, and shown there", async () => {
  const agentDir = folder()
  const storage = storageOf(agentDir)
  const blobs = new MemoryBlobStore()
  const session = await new SessionManager({ storage, blobs }).create("/shop")
  const content = `${"line of a log\n".repeat(50_000)}the zirconium valve broke`
  session.appendMessage({ role: "user", content, timestamp: 1 })
  await session.close()
  const options = { storage, blobs: async () => blobs }
  const sqlite = new SqliteSessionIndex({ ...options, path: join(agentDir, "index.db") })
  const indexes = [sqlite, new MemorySessionIndex(storage, options)]
  for (const index of indexes) await index.update()
  expect(await found(indexes, '"zirconium valve"')).toEqual([expect.stringContaining("zirconium valve broke")])
  await answersAsNew(sqlite, storage, options)
  // Without blobs, what is left in the line is found.
  const without = new MemorySessionIndex(storage)
  await without.update()
  expect(await found([without], "zirconium")).toEqual([])
  expect(await found([without], "log")).toHaveLength(1)
  await sqlite.close()
})

it("where its file cannot be made, an index answers from memory if it may", async () => {
  const agentDir = folder()
  const storage = storageOf(agentDir)
  const session = await new SessionManager({ storage }).create("/shop")
  session.appendMessage({ role: "user", content: "the old copper", timestamp: 1 })
  await session.close()
  writeFileSync(join(agentDir, "cache"), "a file")
  const path = join(agentDir, "cache", "index.db")
  await expect(new SqliteSessionIndex({ storage, path }).update()).rejects.toMatchObject({ code: "StorageError" })
  const reasons: string[] = []
  const index = new SqliteSessionIndex({ storage, path, onUnwritable: ({ message }) => reasons.push(message) })
  await index.update()
  expect(await found([index], "copper")).toHaveLength(1)
  expect(reasons).toEqual([expect.stringContaining("cache")])
  await index.close()
})

it("what a part of a session said is found, and the part named", async () => {
  const agentDir = folder()
  const storage = storageOf(agentDir)
  const session = await new SessionManager({ storage }).create("/shop")
  const texts = [{ role: "assistant", text: "the old copper" }]
  session.appendCustomEntry(PART, { name: "subagents/agent-1.jsonl", role: "subagent", texts })
  session.appendMessage({ role: "user", content: "no copper here", timestamp: 1 })
  await session.close()
  const sqlite = new SqliteSessionIndex({ storage, path: join(agentDir, "index.db") })
  for (const index of [sqlite, new MemorySessionIndex(storage)]) {
    await index.update()
    const { sessions } = await index.search(parseQuery("copper", Date.now()))
    expect(sessions.flatMap(({ hits }) => hits.map(({ part }) => part?.name)).sort()).toEqual([
      "subagents/agent-1.jsonl",
      undefined,
    ])
  }
  await sqlite.close()
})

it("sessions whose headers name no agent are of the agent that the index has for its storage", async () => {
  const agentDir = folder()
  const storage = storageOf(agentDir)
  const sessions = new SessionManager({ storage })
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 }
  for (const content of ["its copper", "more copper"]) {
    const session = await sessions.create("/shop")
    session.appendMessage({ role: "user", content, timestamp: 1 })
    session.appendMessage({ role: "assistant", provider: "p", model: "m", content: [], usage, timestamp: 2 } as never)
    await session.close()
    if (content.startsWith("more")) continue
    const path = session.getSessionFile() ?? ""
    const header = '{"type":"session","source":{"agent":"codex"},'
    writeFileSync(path, readFileSync(path, "utf8").replace(/^\{"type":"session",/, header))
  }
  const indexes = [
    new SqliteSessionIndex({ storage, path: join(agentDir, "index.db"), agent: "pi" }),
    new MemorySessionIndex(storage, { agent: "pi" }),
  ]
  for (const index of indexes) {
    await index.update()
    expect((await index.usage({ by: "agent" })).map(({ key, totals }) => [key, totals.calls]).sort()).toEqual([
      ["codex", 1],
      ["pi", 1],
    ])
    for (const agent of ["codex", "pi"]) {
      expect((await index.usage({ by: "agent", agent })).map(({ key }) => key)).toEqual([agent])
    }
  }
  expect(await found(indexes, "copper agent:pi")).toEqual(["more copper"])
  expect(await found(indexes, "copper agent:codex")).toEqual(["its copper"])
  await indexes[0]?.close()
})
