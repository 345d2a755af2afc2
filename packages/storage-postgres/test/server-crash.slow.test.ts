import { setTimeout as sleep } from "node:timers/promises"
import { type Session, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { fromPg, migrate, PostgresSessionStorage } from "@treelog/storage-postgres"
import { embeddedBinaries, type StartedPostgres, startPostgres } from "@treelog-internal/test-kit/postgres"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"

// A server of its own, since it crashes.
let server: StartedPostgres
let pool: pg.Pool

beforeAll(async () => {
  server = await startPostgres(process.env.TREELOG_TEST_POSTGRES ?? embeddedBinaries(), { fsync: "off" })
  const { host, port, user, password } = server
  pool = new pg.Pool({ host, port, user, password, database: "postgres", max: 8 })
  pool.on("error", () => {}) // The crashes.
  await migrate(fromPg(pool))
})
afterAll(async () => {
  await pool.end()
  await server.stop()
})

test("four crashes of the server under four writers lose no acknowledged message, and store none twice", async () => {
  const manager = new SessionManager({ storage: new PostgresSessionStorage({ client: fromPg(pool) }) })
  let [isDone, failures] = [false, 0]
  async function write(session: Session, writer: number) {
    const texts: string[] = []
    while (!isDone) {
      const text = `${writer} ${texts.length}`
      session.appendMessage({ role: "user", content: text, timestamp: 1 })
      let isStored = await session.flush().then(
        () => true,
        () => false,
      )
      while (!isStored) {
        failures++
        await sleep(20)
        isStored = await session.retry().then(
          () => true,
          () => false,
        )
      }
      texts.push(text)
    }
    await session.close()
    return { id: session.getSessionId(), texts }
  }
  const sessions = await Promise.all(Array.from({ length: 4 }, () => manager.create("/home/user/project")))
  const writing = sessions.map(write)
  for (let crash = 0; crash < 4; crash++) {
    await sleep(300)
    await server.crash()
  }
  isDone = true
  const written = await Promise.all(writing)
  expect(failures).toBeGreaterThan(3)
  for (const { id, texts } of written) {
    // A line that is stored twice would be a diagnostic.
    expect((await verifySession(manager, { id })).diagnostics).toEqual([])
    const { messages } = await manager.readContext({ id })
    expect(messages.map((message) => ("content" in message ? message.content : undefined))).toEqual(texts)
  }
})
