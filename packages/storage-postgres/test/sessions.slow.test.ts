import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type EntryOfType, SessionManager } from "@treelog/session-core"
import { fromPg, PostgresSessionStorage } from "@treelog/storage-postgres"
import { losingProxy } from "@treelog-internal/test-kit/postgres"
import { killProcess, nextMessage, otherProcesses } from "@treelog-internal/test-kit/processes"
import pg from "pg"
import { expect, test } from "vitest"
import { allOf, scene } from "./scene.js"

const { storage, database } = scene()
const LEASE_MS = 1500
const CWD = "/home/user/project"
// Bundled beside the package, so that it finds pg.
const others = otherProcesses(fileURLToPath(new URL("child/session-user.ts", import.meta.url)), {
  inside: fileURLToPath(new URL("../node_modules/.cache", import.meta.url)),
  external: ["pg"],
})

const message = (content: string) => ({ role: "user", content, timestamp: 1 }) as const

async function newSession(): Promise<string> {
  const session = await new SessionManager({ storage: storage() }).create(CWD)
  session.appendMessage(message("first"))
  await session.close()
  return session.getSessionId()
}

async function textsIn(id: string): Promise<unknown[]> {
  const session = await new SessionManager({ storage: storage() }).open({ id }, { access: "read" })
  expect(session.getDiagnostics()).toEqual([])
  const texts = session
    .getEntries()
    .flatMap((entry) => (entry.type === "message" ? [(entry as EntryOfType<"message">).message] : []))
  await session.close()
  return texts.map((stored) => ("content" in stored ? stored.content : undefined))
}

/** Every acknowledged message once, and none twice. */
function expectAll(texts: readonly unknown[], acknowledged: readonly string[]): void {
  expect(new Set(texts).size).toBe(texts.length)
  expect(acknowledged.filter((text) => !texts.includes(text))).toEqual([])
}

test("a SessionManager creates, appends, reads, lists, forks and deletes sessions", async () => {
  const manager = new SessionManager({ storage: storage() })
  const session = await manager.create(CWD)
  const first = session.appendMessage(message("one"))
  session.appendMessage(message("two"))
  await session.close()
  const ref = { id: session.getSessionId() }
  const again = await manager.open(ref)
  again.appendMessage(message("three"))
  await again.close()
  expect((await manager.readContext(ref)).messages).toHaveLength(3)
  const opened = await manager.open(ref)
  const branch = await opened.createBranchedSession(first)
  await branch.close()
  await opened.close()
  const listed = await allOf(manager.list(CWD))
  expect(listed.map(({ messageCount }) => messageCount).sort()).toEqual([1, 3])
  const fork = await manager.forkFrom(ref, "/home/user/other")
  await fork.close()
  expect(await allOf(manager.list("/home/user/other"))).toMatchObject([{ messageCount: 3 }])
  await manager.delete(ref)
  await expect(manager.open(ref)).rejects.toMatchObject({ code: "SessionNotFoundError" })
})

test("the next listing takes the summaries from the database", async () => {
  const id = await newSession()
  const cwd = CWD
  await allOf(new SessionManager({ storage: storage() }).list(cwd))
  const cached = []
  for await (const found of storage().summaries.scan({ cwd })) cached.push(...found)
  expect(cached.find((found) => found.id === id)).toMatchObject({ cached: { isCurrent: true } })
})

test("a killed process is followed once its lease lapsed, and what it had acknowledged is there", async () => {
  const id = await newSession()
  const child = others.start(JSON.stringify(database), id, "killed", "exclusive", LEASE_MS)
  const acknowledged: string[] = []
  child.on("message", (text) => acknowledged.push(String(text)))
  while (acknowledged.length < 20) await sleep(10)
  await killProcess(child)
  const manager = new SessionManager({ storage: storage() })
  await expect(manager.open({ id })).rejects.toMatchObject({ code: "SessionBusyError" })
  const next = await manager.open({ id }, { access: "shared", busyTimeoutMs: 300_000 })
  next.appendMessage(message("next"))
  await next.close()
  expectAll(await textsIn(id), [...acknowledged, "next"])
})

test("a process that was stopped past its lease wakes up, reads what others wrote, and goes on", async () => {
  const id = await newSession()
  const child = others.start(JSON.stringify(database), id, "stopped", "exclusive", LEASE_MS)
  const acknowledged: string[] = []
  child.on("message", (text) => acknowledged.push(String(text)))
  await nextMessage(child)
  child.kill("SIGSTOP")
  const next = await new SessionManager({ storage: storage() }).open(
    { id },
    { access: "shared", busyTimeoutMs: 300_000 },
  )
  for (const text of ["between 1", "between 2"]) {
    next.appendMessage(message(text))
    await next.flush()
  }
  await next.close()
  child.kill("SIGCONT")
  const before = acknowledged.length
  while (acknowledged.length < before + 20) await sleep(10)
  await killProcess(child)
  const texts = await textsIn(id)
  expectAll(texts, [...acknowledged, "between 1", "between 2"])
  expect(texts.indexOf("between 2")).toBe(texts.indexOf("between 1") + 1)
})

test("four processes share a session: every acknowledged message is stored once", async () => {
  const id = await newSession()
  const acknowledged: string[] = []
  const children = ["a", "b", "c", "d"].map((name) => others.start(JSON.stringify(database), id, name, "shared"))
  for (const child of children) child.on("message", (text) => acknowledged.push(String(text)))
  while (new Set(acknowledged.map((text) => text[0])).size < 4 || acknowledged.length < 200) await sleep(10)
  await Promise.all(children.map(killProcess))
  expectAll(await textsIn(id), acknowledged)
})

test.each(["exclusive", "shared"] as const)(
  "lost answers store no entry twice and lose none: %s",
  async (access) => {
    let [random, isLosing] = [1, false]
    const proxy = await losingProxy(database.port, () => {
      // The same numbers in each run.
      random = (random * 16_807) % 2_147_483_647
      return isLosing && random % 8 === 0
    })
    const pool = new pg.Pool({ ...database, port: proxy.port, max: 2 })
    pool.on("error", () => {})
    const options = { client: fromPg(pool), notify: false, leaseMs: LEASE_MS }
    const manager = new SessionManager({ storage: new PostgresSessionStorage(options) })
    const session = await manager.create(CWD, access === "shared" ? { access, busyTimeoutMs: 300_000 } : { access })
    const texts = Array.from({ length: 60 }, (_, count) => `message ${count}`)
    let failures = 0
    isLosing = true
    for (const text of texts) {
      session.appendMessage(message(text))
      let isStored = await session.flush().then(
        () => true,
        () => false,
      )
      while (!isStored) {
        failures++
        isStored = await session.retry().then(
          () => true,
          () => false,
        )
      }
    }
    isLosing = false
    await session.close()
    expect(failures).toBeGreaterThan(5)
    expect(await textsIn(session.getSessionId())).toEqual(texts)
    await pool.end()
    proxy.close()
  },
  120_000,
)
