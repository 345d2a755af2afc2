import { fromPg, migrate, type PostgresClient, PostgresSessionStorage } from "@treelog/storage-postgres"
import pg from "pg"
import { expect, test } from "vitest"
import { newKey, scene } from "./scene.js"

const { database, client, pool } = scene()

async function errorOf(config: pg.PoolConfig) {
  const pool = new pg.Pool({ ...database, ...config })
  const failing = new PostgresSessionStorage({ client: fromPg(pool) }).stat(newKey())
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason as Error,
  )
  await pool.end()
  return error
}

test.each([
  ["a wrong password", { password: "wr0ng-s3cret" }, "28P01", /refused the password/],
  ["a database that is not there", { database: "n0where" }, "3D000", /no such database/],
  ["a port that nobody listens at", { port: 1 }, "ECONNREFUSED", /No server listens/],
] as const)(
  "%s is a StorageError that says what to do, without names and passwords",
  async (_, config, errno, advice) => {
    const error = await errorOf(config)
    expect(error).toMatchObject({ code: "StorageError", data: { operation: "stat", errno } })
    expect(error?.message).toMatch(advice)
    const all = JSON.stringify(error) + String(error?.stack) + JSON.stringify(error?.cause ?? "")
    for (const secret of [database.password, database.user, "wr0ng-s3cret", "n0where"])
      expect(all.replaceAll("@treelog", "").replaceAll("/treelog", "")).not.toContain(`"${secret}"`)
  },
)

test("a pool that was passed without fromPg is refused at once, and its password is not repeated", async () => {
  const invalid = { code: "InvalidArgumentError", data: { argument: "client" } }
  for (const passed of [pool, new pg.Client(database), "postgres://me:s3cret@host/db", undefined]) {
    const client = passed as unknown as PostgresClient
    const error = await migrate(client).catch((reason: unknown) => reason)
    expect(error).toMatchObject(invalid)
    expect(JSON.stringify(error)).not.toMatch(`s3cret|"${database.password}"`)
    expect(() => new PostgresSessionStorage({ client })).toThrow(expect.objectContaining(invalid))
  }
})

test("missing tables are a StorageError that names migrate", async () => {
  await pool.query("create database without_tables")
  const error = await errorOf({ database: "without_tables" })
  expect(error?.message).toMatch(/\(42P01\)\. The tables are missing: run migrate\(client\)/)
})

test("an error keeps no text of the driver, which may have the connection string", async () => {
  const reject = () => Promise.reject(new Error("cannot parse postgres://me:s3cret@host/db"))
  const broken: PostgresClient = { query: reject, transaction: reject }
  for (const failing of [new PostgresSessionStorage({ client: broken }).stat(newKey()), migrate(broken)]) {
    const error = await failing.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: "StorageError" })
    expect(JSON.stringify(error) + String((error as Error).stack) + String((error as Error).cause)).not.toContain(
      "s3cret",
    )
  }
})

test("an error without a code says that a write may be stored, and nothing of a write where only was read", async () => {
  const reject = () => Promise.reject(new Error("Connection terminated unexpectedly"))
  const storage = new PostgresSessionStorage({ client: { query: reject, transaction: reject } })
  await expect(storage.stat(newKey())).rejects.toThrow(/It did not answer\. Try again\.$/)
  await expect(storage.lease(newKey(), { access: "exclusive", waitMs: 0 })).rejects.toThrow(
    /The outcome of a write is unknown/,
  )
})

test.each([0, 99, Number.NaN, 1e9])("leaseMs %d is refused", (leaseMs) => {
  expect(() => new PostgresSessionStorage({ client, leaseMs })).toThrow(
    expect.objectContaining({ code: "InvalidArgumentError" }),
  )
})

test.each(["\0", "\ud800"])("a key with %j is refused, since PostgreSQL cannot store it", async (text) => {
  const storage = new PostgresSessionStorage({ client })
  const place = { cwd: `/a${text}b`, id: "1", timestamp: "2026-03-07T14:00:00.000Z" }
  expect(() => storage.keyFor(place)).toThrow(expect.objectContaining({ code: "InvalidArgumentError" }))
})
