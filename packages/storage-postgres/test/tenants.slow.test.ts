import { SessionManager } from "@treelog/session-core"
import { fromPg, PostgresSessionStorage, rowLevelSecuritySql } from "@treelog/storage-postgres"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { allOf, bytes, EXCLUSIVE, newKey, scene } from "./scene.js"

const { storage, database, pool } = scene()

describe("two tenants", () => {
  test("have sessions under the same key, and see their own alone", async () => {
    const [one, two, key] = [storage({ tenant: "one" }), storage({ tenant: "two" }), newKey()]
    for (const [store, text] of [
      [one, "1\n"],
      [two, "22\n"],
    ] as const) {
      const lease = await store.lease(key, EXCLUSIVE)
      await lease.create([bytes(text)])
      await lease.release()
    }
    expect((await one.stat(key))?.size).toBe(2)
    expect((await two.stat(key))?.size).toBe(3)
    expect(await allOf(storage({ tenant: "three" }).list())).toEqual([])
  })
})

const pooler = inject("pgbouncer")

beforeAll(async () => {
  await pool.query(rowLevelSecuritySql())
  await pool.query("drop role if exists app; create role app login password 'app'")
  await pool.query("grant usage on schema treelog to app")
  await pool.query("grant select, insert, update, delete on all tables in schema treelog to app")
})
afterAll(() => pool.query("drop owned by app; drop role app"))

// The pooler has three connections in transaction mode. `npm run test:engines` starts it.
describe.each([
  { route: "directly", port: database.port, max: 2 },
  ...(pooler ? [{ route: "through pgbouncer", port: pooler.port, max: 8 }] : []),
])("with row-level security, $route", ({ route, port, max }) => {
  const app = new pg.Pool({ ...database, port, max, user: "app", password: "app" })
  const client = fromPg(app)
  const as = (tenant: string, rowLevelSecurity = true) =>
    new PostgresSessionStorage({ client, tenant, rowLevelSecurity, notify: false })

  afterAll(() => app.end())

  test("sessions work as without", async () => {
    const manager = new SessionManager({ storage: as("alice") })
    await Promise.all((await allOf(manager.listAll())).map(({ path }) => manager.delete(path)))
    const session = await manager.create("/home/user/project")
    session.appendMessage({ role: "user", content: "mine", timestamp: 1 })
    await session.close()
    expect((await manager.readContext({ id: session.getSessionId() })).messages).toHaveLength(1)
    expect(await allOf(manager.list("/home/user/project"))).toHaveLength(1)
    expect(await allOf(new SessionManager({ storage: as("bob") }).list("/home/user/project"))).toEqual([])
  })

  test("the server itself shows a connection no row of another tenant, and none without a tenant", async () => {
    const lease = await as("alice").lease(newKey(), EXCLUSIVE)
    await lease.create([bytes("secret\n")])
    await lease.release()
    for (const table of ["session", "piece", "lease", "upload", "summary"]) {
      expect((await app.query(`select * from treelog.${table}`)).rows).toEqual([])
      const seen = await client.transaction(async (query) => {
        await query("select set_config('treelog.tenant', 'bob', true)")
        return query(`select * from treelog.${table}`)
      })
      expect(seen).toEqual([])
    }
  })

  test("an empty tenant is none: its rows are seen by no connection, also after a transaction had a tenant", async () => {
    const lease = await storage({ tenant: "" }).lease(newKey(), EXCLUSIVE)
    await lease.create([bytes("of the empty tenant\n")])
    await lease.release()
    const single = new pg.Pool({ ...database, port, user: "app", password: "app", max: 1 })
    await allOf(new PostgresSessionStorage({ client: fromPg(single), tenant: "dora", rowLevelSecurity: true }).list())
    for (const table of ["session", "piece", "lease", "upload", "summary"])
      expect((await single.query(`select * from treelog.${table}`)).rows).toEqual([])
    await single.end()
    expect(() => as("")).toThrow(/needs a `tenant`/)
  })

  test("a statement for another tenant than the setting is refused", async () => {
    await expect(as("bob", false).lease(newKey(), EXCLUSIVE)).rejects.toMatchObject({
      code: "StorageError",
      data: { errno: "42501" },
    })
  })

  test("the tenant of one transaction is not that of the next on the same connection", async () => {
    const single = new pg.Pool({ ...database, port, user: "app", password: "app", max: 1 })
    const alone = new PostgresSessionStorage({ client: fromPg(single), tenant: "carol", rowLevelSecurity: true })
    expect(await allOf(alone.list())).toEqual([])
    const { rows } = await single.query("select current_setting('treelog.tenant', true) as tenant")
    expect(rows[0].tenant ?? "").toBe("")
    await single.end()
  })

  test("tenants that share connections at the same time see their own sessions alone", async () => {
    const tenants = Array.from({ length: 8 }, (_, number) => `${route} ${number}`)
    const listed = await Promise.all(
      tenants.map(async (tenant) => {
        const manager = new SessionManager({ storage: as(tenant) })
        const names: (string | undefined)[] = []
        for (let round = 0; round < 5; round++) {
          const session = await manager.create("/home/user/project")
          session.appendMessage({ role: "user", content: tenant, timestamp: round })
          await session.close()
          // Without a tenant, whoever used this connection before.
          expect((await app.query("select * from treelog.session")).rows).toEqual([])
          const newest = await allOf(manager.listAll({ order: "newest", limit: 100 }))
          expect(newest).toHaveLength(round + 1)
          names.push(...newest.map(({ firstMessage }) => firstMessage))
        }
        return [...new Set(names)]
      }),
    )
    expect(listed).toEqual(tenants.map((tenant) => [tenant]))
  })
})
