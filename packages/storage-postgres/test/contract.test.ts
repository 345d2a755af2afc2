import { PGlite } from "@electric-sql/pglite"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { testDatabase } from "@treelog-internal/test-kit/postgres"
import pg from "pg"
import postgres from "postgres"
import { afterAll, beforeAll, describe, expect, it, test } from "vitest"
import { fromPg, fromPglite, fromPostgres, migrate, type PostgresClient, PostgresSessionStorage } from "../src/index.js"

const database = testDatabase()
const pool = new pg.Pool({ ...database, max: 4 })
const pipelining = new pg.Pool({ ...database, max: 4, pipeline: true } as pg.PoolConfig)
const sql = postgres({ ...database, max: 4 })
const pglite = new PGlite()
const client = fromPg(pool, { direct: pool })

beforeAll(async () => {
  await migrate(client)
  await migrate(fromPglite(pglite))
})
afterAll(() => Promise.all([pool.end(), pipelining.end(), sql.end(), pglite.close()]))

const candidates: [name: string, PostgresClient, options?: { rowLevelSecurity: boolean }][] = [
  ["pg", client],
  ["pg, pipelining, with the tenant set in each transaction", fromPg(pipelining), { rowLevelSecurity: true }],
  ["postgres", fromPostgres(sql, { direct: sql })],
  ["PGlite", fromPglite(pglite)],
]

let tenants = 0

/** What no caller gets must not fail either. */
const errors: unknown[] = []
const onError = (error: unknown) => void errors.push(error)

for (const [name, driver, options] of candidates)
  sessionStorageContract(
    { describe, it },
    {
      name: `PostgresSessionStorage with ${name}`,
      supports: new PostgresSessionStorage({ client: driver }).supports,
      losesAnswers: true,
      setup: async () => {
        // Each test has a tenant of its own.
        const tenant = `tenant ${++tenants}`
        let passed = 0
        const clock = { now: () => performance.now() + passed }
        const make = () => new PostgresSessionStorage({ client: driver, tenant, clock, onError, ...options })
        return {
          ...losingNextAnswer(make()),
          reopen: async () => make(),
          lapse: async (key) => {
            passed += 30_000
            const lapsed = "update treelog.lease set expires = now() where tenant = $1 and key = $2"
            await driver.query(lapsed, [tenant, key])
          },
          teardown: async () => {},
        }
      },
    },
  )

test("nothing failed in the background", () => expect(errors).toEqual([]))
