import { type ClaudeStore, convertClaudeCode, writeSessionStore } from "@treelog/agents/claude-code"
import { sampleSession } from "@treelog-internal/test-kit/copied-session"
import { expect, it } from "vitest"

type Entry = Parameters<ClaudeStore["append"]>[1][number]

/** A store that keeps what it gets, as one in a database would. */
class MemoryStore implements ClaudeStore {
  readonly sessions = new Map<string, Entry[]>()

  async append(key: { projectKey: string; sessionId: string }, entries: Entry[]): Promise<void> {
    const own = this.sessions.get(JSON.stringify(key)) ?? []
    this.sessions.set(JSON.stringify(key), [...own, ...entries.map((entry) => structuredClone(entry))])
  }

  async load(key: { projectKey: string; sessionId: string }): Promise<Entry[] | null> {
    return this.sessions.get(JSON.stringify(key)) ?? null
  }
}

const projectKey = "-srv-shop"

it("writes a session that is read as the one that it was written of, and a second time nothing", async () => {
  const store = new MemoryStore()
  const source = await sampleSession("/srv/shop", true)
  const options = { projectKey, from: "codex" }
  const { id, path, status, receipt } = await writeSessionStore(source, store, options)
  expect([path, status]).toEqual([`${projectKey}/${id}`, "created"])
  expect(receipt.compactions).toMatchObject({ source: 1, preserved: 1 })
  const entries = (await store.load({ projectKey, sessionId: id })) ?? []
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")
  expect(text).toContain("They looked for a wrong sum.")
  expect(convertClaudeCode(text, { name: id }).report).toMatchObject({ unknownKinds: [], diagnostics: [] })
  expect(await writeSessionStore(source, store, options)).toMatchObject({ id, status: "unchanged" })
  expect(await store.load({ projectKey, sessionId: id })).toEqual(entries)
})

it("appends what is new, and never to a session in which the SDK went on", async () => {
  const store = new MemoryStore()
  const source = await sampleSession("/srv/shop", false)
  const write = () => writeSessionStore(source, store, { projectKey, from: "codex" })
  const { id } = await write()
  const key = { projectKey, sessionId: id }
  const before = (await store.load(key))?.length ?? 0
  source.appendMessage({ role: "user", content: "More.", timestamp: Date.parse("2026-11-21T00:00:00Z") })
  expect(await write()).toMatchObject({ id, status: "appended" })
  expect(await store.load(key)).toHaveLength(before + 1)
  await store.append(key, [{ type: "user", uuid: "of-the-sdk" }])
  expect(await write()).toMatchObject({ id, status: "continued" })
  source.appendMessage({ role: "user", content: "And more.", timestamp: Date.parse("2026-11-22T00:00:00Z") })
  const other = await write()
  expect(other.status).toBe("created")
  expect(other.id).not.toBe(id)
  expect(await store.load(key)).toHaveLength(before + 2)
})
